package system

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// The desktop portal, as https://flatpak.github.io/xdg-desktop-portal/docs says.
const (
	portalName    = "org.freedesktop.portal.Desktop"
	portalPath    = "/org/freedesktop/portal/desktop"
	chooserName   = "org.freedesktop.portal.FileChooser"
	settingsName  = "org.freedesktop.portal.Settings"
	requestName   = "org.freedesktop.portal.Request"
	propertiesGet = "org.freedesktop.DBus.Properties.Get"
)

// patience is how long the portal may take to answer whether it is there.
const patience = 2 * time.Second

// Look asks the desktop what it offers; it takes a moment, so not on the window's
// goroutine.
func Look() Desktop {
	var d Desktop
	conn, err := connect()
	if err != nil {
		return d
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	portal := conn.Object(portalName, portalPath)
	var version, scheme dbus.Variant
	d.dialogs = portal.CallWithContext(ctx, propertiesGet, 0, chooserName, "version").Store(&version) == nil
	err = portal.CallWithContext(ctx, settingsName+".Read", 0, "org.freedesktop.appearance", "color-scheme").Store(&scheme)
	d.said = err == nil && scheme.String() != "@u 0" && !strings.Contains(scheme.String(), "<uint32 0>")
	return d
}

// connect opens the session bus where it is a socket of this computer.
func connect() (*dbus.Conn, error) {
	address := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if address == "" {
		bus := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")
		if _, err := os.Stat(bus); err != nil || !filepath.IsAbs(bus) {
			return nil, errors.New("there is no session bus")
		}
		address = "unix:path=" + bus
	}
	if !strings.HasPrefix(address, "unix:") {
		return nil, fmt.Errorf("the session bus %s is no local socket", address)
	}
	return dbus.Connect(address)
}

// choose asks the portal and waits for the answer.
func choose(parent string, a Ask) ([]string, error) {
	conn, err := connect()
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	token := "retrace" + strconv.FormatInt(time.Now().UnixNano(), 36)
	answers := make(chan *dbus.Signal, 4)
	conn.Signal(answers)
	sender := strings.ReplaceAll(strings.TrimPrefix(conn.Names()[0], ":"), ".", "_")
	request := dbus.ObjectPath(portalPath + "/request/" + sender + "/" + token)
	if err := conn.AddMatchSignal(dbus.WithMatchObjectPath(request), dbus.WithMatchInterface(requestName)); err != nil {
		return nil, err
	}
	method, options := call(a, token)
	if err := conn.Object(portalName, portalPath).Call(chooserName+"."+method, 0, parent, a.Title, options).Err; err != nil {
		return nil, err
	}
	for signal := range answers {
		if signal.Path == request && signal.Name == requestName+".Response" {
			return answer(signal.Body)
		}
	}
	return nil, errors.New("the session bus was closed")
}

// call is the method of the portal that asks, and its options.
func call(a Ask, token string) (method string, options map[string]dbus.Variant) {
	options = map[string]dbus.Variant{"handle_token": dbus.MakeVariant(token), "modal": dbus.MakeVariant(true)}
	if a.Save {
		options["current_name"] = dbus.MakeVariant(a.Name)
		return "SaveFile", options
	}
	options["multiple"] = dbus.MakeVariant(a.Many)
	options["directory"] = dbus.MakeVariant(a.Folder)
	return "OpenFile", options
}

// answer reads what the portal answers: whether it was left, and the files' addresses.
func answer(body []any) ([]string, error) {
	var status uint32
	var results map[string]dbus.Variant
	if err := dbus.Store(body, &status, &results); err != nil {
		return nil, err
	}
	if status != 0 {
		return nil, nil // the user has left it
	}
	var addresses, paths []string
	if err := dbus.Store([]any{results["uris"].Value()}, &addresses); err != nil {
		return nil, err
	}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "file" {
			return nil, fmt.Errorf("%q is no file of this computer", address)
		}
		paths = append(paths, u.Path)
	}
	return paths, nil
}
