package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"retrace/engine/device"
	"retrace/internal/userdata"
	"retrace/storage"
)

type doctorCommand struct{}

func (doctorCommand) Help() string {
	return "Prints what somebody who helps you needs to know: version, system, display and OpenGL, the runtime of the model, devices and why not, whether the workspace is whole, whether folders can be written. " +
		"No names of people, computers, files, networks or trips are printed, and nothing is sent anywhere.\n\n" +
		"Examples:\n  retrace doctor\n  retrace doctor >doctor.txt"
}

// finding is a line of what doctor tells.
type finding struct {
	About string `json:"about"`
	Found string `json:"found"`
}

func (c *doctorCommand) Run(s *session) error {
	var all []finding
	add := func(about, found string) { all = append(all, finding{about, tidy(found)}) }
	add("retrace", s.version+", built by "+runtime.Version())
	add("system", systemText())
	add("display", s.displayText())
	for _, f := range s.modelFindings() {
		add(f.About, f.Found)
	}
	workspace, damaged := s.workspaceText()
	add("workspace", workspace)
	data, err := userdata.Folder()
	add("data folder", folderText(data, err))
	add("temporary folder", folderText(os.TempDir(), nil))
	s.progress.clear()
	for _, f := range all {
		var err error
		if s.globals.JSON {
			err = s.printJSON(f)
		} else {
			_, err = fmt.Fprintf(s.stdout, "%-18s%s\n", f.About, f.Found)
		}
		if err != nil {
			return err
		}
	}
	if damaged {
		return errDamaged
	}
	return nil
}

// displayLimit is how long the program that opens windows may take to say what
// draws them.
const displayLimit = 20 * time.Second

// displayText says what the window would be drawn by, which a process of its own
// finds out: a driver that crashes or hangs costs the answer alone.
func (s *session) displayText() string {
	var where []string
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP"} {
		v := os.Getenv(name)
		if _, number, ok := strings.Cut(v, ":"); ok && name == "DISPLAY" {
			v = ":" + number // before it may stand what another computer is called
		}
		if v != "" {
			where = append(where, name+"="+v)
		}
	}
	if s.windowProgram == "" {
		return strings.Join(append(where, "this program was built without a window"), ", ")
	}
	ctx, cancel := context.WithTimeout(s.ctx, displayLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.windowProgram, displayName)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		where = append(where, fmt.Sprintf("no answer within %v: its driver hangs", displayLimit))
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		where = append(where, "the process that asked for it ended: "+err.Error())
	default:
		where = append(where, strings.TrimSpace(string(out)))
	}
	return strings.Join(where, ", ")
}

// displayName is the subcommand that a process answers what windows are drawn by.
const displayName = "__display"

// displayCommand is that process.
type displayCommand struct{}

func (displayCommand) Run(s *session) error {
	if s.display == nil {
		return errors.New("this program was built without a window")
	}
	by, err := s.display()
	if err != nil {
		by = "no window can be opened: " + err.Error()
	}
	_, err = fmt.Fprintln(s.stdout, by)
	return err
}

// modelFindings tell of the model and of the devices that it can run on.
func (s *session) modelFindings() []finding {
	if s.models == nil {
		return []finding{{"model", errNoModels.Error()}}
	}
	var all []finding
	b, err := s.models.Bundle("")
	if err != nil {
		all = append(all, finding{"model", err.Error()})
	} else {
		all = append(all, finding{"model", b.Manifest.Name + ", " + b.Hash[:min(12, len(b.Hash))]})
	}
	verdicts, err := s.devices("", false)
	if err != nil {
		return append(all, finding{"runtime", err.Error()})
	}
	chosen, err := device.Choose(verdicts, device.Auto)
	if err != nil {
		all = append(all, finding{"recovery", "by map matching alone: no device can run the model"})
	} else {
		all = append(all, finding{"recovery", "by the model, on the " + chosen.Title()})
	}
	for _, v := range verdicts {
		text := "works"
		if v.Refused != "" {
			text = "refused: " + v.Refused
		} else if v.Version != "" {
			text += fmt.Sprintf(", ONNX Runtime %s, %s a batch", v.Version, span(v.Run))
		}
		all = append(all, finding{"device " + string(v.Device), text})
	}
	return all
}

// workspaceText says how the workspace does, and whether it is damaged.
func (s *session) workspaceText() (text string, damaged bool) {
	path, err := s.workspacePath()
	if err != nil {
		return err.Error(), false
	}
	w, err := storage.Open(path, storage.Options{ReadOnly: true, Shared: s.globals.Shared, Program: "retrace " + s.version})
	var locked *storage.LockedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "none yet", false
	case errors.As(err, &locked) && locked.Holder != nil:
		return "held by " + locked.Holder.Program, false
	case errors.As(err, &locked):
		return "held by another program", false
	case err != nil:
		return strings.ReplaceAll(err.Error(), path, "FILE"), false
	}
	defer w.Close()
	content, err := s.verify(w)
	if err != nil {
		return strings.ReplaceAll(err.Error(), path, "FILE"), false
	}
	text = fmt.Sprintf("%s, %s, %s", plural(content.Networks, "network", "networks"),
		plural(content.Trajectories, "trajectory", "trajectories"), plural(content.Recoveries, "recovery", "recoveries"))
	if info, err := os.Stat(path); err == nil {
		text += fmt.Sprintf(", %.1f MB", float64(info.Size())/1e6)
	}
	if len(w.Damage()) == 0 && len(content.Spare) == 0 {
		return "whole: " + text, false
	}
	// Names say who drove where: what is lost is told by its kind.
	text = "damaged, whole of it: " + text
	for _, d := range append(w.Damage(), content.Spare...) {
		text += fmt.Sprintf("; a %s", d.Kind)
	}
	return text, true
}

// folderText says where a folder lies and whether it can be written.
func folderText(folder string, err error) string {
	if err != nil {
		return err.Error()
	}
	if long, err := filepath.EvalSymlinks(folder); err == nil {
		folder = long // Windows may name it in a short form, which still begins as the user is called
	}
	f, err := os.CreateTemp(folder, "retrace-doctor-*")
	if err != nil {
		return folder + ", cannot be written: " + reason(err)
	}
	err = errors.Join(f.Close(), os.Remove(f.Name()))
	if err != nil {
		return folder + ", what is written cannot be removed: " + reason(err)
	}
	return folder + ", can be written"
}

// reason is an error without the path that it names.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// tidy takes from a text who the user is and what the computer is called.
func tidy(text string) string {
	home, _ := os.UserHomeDir()
	host, _ := os.Hostname()
	user := os.Getenv("USER") + os.Getenv("USERNAME")
	return hide(text, home, user, host)
}

// hide puts ~, USER and HOST where a text names them. Names of one letter or none
// are left alone, and so is what such a name is only a part of.
func hide(text, home, user, host string) string {
	if len(home) > 1 {
		text = strings.ReplaceAll(text, home, "~")
		text = strings.ReplaceAll(text, filepath.ToSlash(home), "~")
	}
	for name, mark := range map[string]string{user: "USER", filepath.Base(home): "USER", host: "HOST"} {
		text = hideWord(text, name, mark)
	}
	return text
}
