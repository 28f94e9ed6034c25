package system

import (
	"bufio"
	"fmt"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

// bus starts a session bus of its own.
func bus(t *testing.T) *dbus.Conn {
	t.Helper()
	cmd := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=1", "--address=unix:dir="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Skip("no session bus can be started here: ", err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Skip("the session bus says no address: ", err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
	conn, err := connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// portal is a desktop portal that answers at once.
type portal struct {
	conn   *dbus.Conn
	status uint32
	uris   []string
	asked  []string
}

func (p *portal) answer(method, title string, options map[string]dbus.Variant, sender dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	name, _ := options["current_name"].Value().(string)
	folder, _ := options["directory"].Value().(bool)
	many, _ := options["multiple"].Value().(bool)
	p.asked = append(p.asked, fmt.Sprintf("%s %q %q %v %v", method, title, name, folder, many))
	token := options["handle_token"].Value().(string)
	path := dbus.ObjectPath(portalPath + "/request/" + strings.ReplaceAll(string(sender)[1:], ".", "_") + "/" + token)
	go func() {
		time.Sleep(10 * time.Millisecond)
		p.conn.Emit(path, requestName+".Response", p.status, map[string]dbus.Variant{"uris": dbus.MakeVariant(p.uris)})
	}()
	return path, nil
}

func (p *portal) OpenFile(sender dbus.Sender, _, title string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return p.answer("OpenFile", title, options, sender)
}

func (p *portal) SaveFile(sender dbus.Sender, _, title string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return p.answer("SaveFile", title, options, sender)
}

// withPortal is a bus with a portal on it.
func withPortal(t *testing.T) *portal {
	p := &portal{conn: bus(t)}
	if err := p.conn.Export(p, portalPath, chooserName); err != nil {
		t.Fatal(err)
	}
	if _, err := prop.Export(p.conn, portalPath, prop.Map{chooserName: {"version": {Value: uint32(4)}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.conn.RequestName(portalName, 0); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestThePortalIsAsked(t *testing.T) {
	p := withPortal(t)
	d := Look()
	if !d.Dialogs() || d.SaysColours() {
		t.Fatalf("the portal offers %+v", d)
	}
	p.uris = []string{"file:///tmp/Rua%20do%20Bonfim%20a+b.csv", "file:///tmp/%C3%A7.gpx"}
	got, err := d.Choose("", Ask{Title: "Open", Many: true})
	if want := []string{"/tmp/Rua do Bonfim a+b.csv", "/tmp/ç.gpx"}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("chosen are %q, %v, want %q", got, err, want)
	}
	p.uris = []string{"file:///tmp/out.csv"}
	if got, err := d.Choose("", Ask{Title: "Export", Save: true, Name: "points.csv"}); err != nil || len(got) != 1 {
		t.Errorf("to write is %q, %v", got, err)
	}
	if _, err := d.Choose("", Ask{Title: "Folder", Folder: true}); err != nil {
		t.Error(err)
	}
	p.status = 1
	if got, err := d.Choose("", Ask{Title: "Left"}); err != nil || got != nil {
		t.Errorf("a dialog that was left gives %q, %v", got, err)
	}
	want := []string{`OpenFile "Open" "" false true`, `SaveFile "Export" "points.csv" false false`, `OpenFile "Folder" "" true false`, `OpenFile "Left" "" false false`}
	if !reflect.DeepEqual(p.asked, want) {
		t.Errorf("asked was\n%q, want\n%q", p.asked, want)
	}
	p.status, p.uris = 0, []string{"https://example.org/a.csv"}
	if got, err := d.Choose("", Ask{Title: "Far"}); err == nil {
		t.Errorf("what is not on this computer gives %q", got)
	}
}

func TestWithoutPortalThereAreNoDialogs(t *testing.T) {
	bus(t)
	if d := Look(); d.Dialogs() {
		t.Errorf("a bus without portal offers %+v", d)
	}
	if _, err := (Desktop{}).Choose("", Ask{}); err == nil {
		t.Error("a desktop without dialogs has shown one")
	}
}

// The program opens no socket but to the display and this bus: one on another computer
// is not asked.
func TestABusElsewhereIsNotAsked(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "tcp:host=127.0.0.1,port=1")
	if _, err := connect(); err == nil || !strings.Contains(err.Error(), "no local socket") {
		t.Errorf("a bus over TCP gives %v", err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	if _, err := connect(); err == nil {
		t.Error("a bus was found where there is none")
	}
}
