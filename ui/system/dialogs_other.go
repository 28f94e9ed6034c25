//go:build windows || darwin

package system

import (
	"errors"

	"github.com/ncruces/zenity"
)

// Look says what the desktop offers.
func Look() Desktop { return Desktop{dialogs: true, said: true} }

// choose shows a dialog and waits for the answer.
func choose(_ string, a Ask) (paths []string, err error) {
	title := zenity.Title(a.Title)
	var path string
	switch {
	case a.Save:
		path, err = zenity.SelectFileSave(title, zenity.Filename(a.Name), zenity.ConfirmOverwrite())
	case a.Folder:
		path, err = zenity.SelectFile(title, zenity.Directory())
	case a.Many:
		paths, err = zenity.SelectFileMultiple(title)
	default:
		path, err = zenity.SelectFile(title)
	}
	if errors.Is(err, zenity.ErrCanceled) {
		return nil, nil
	}
	if path != "" {
		paths = []string{path}
	}
	return paths, err
}
