package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// How often and after what pauses a file is put in place of another once more: what
// looks for viruses or makes an index opens new files for a moment.
const (
	renameTries = 10
	renamePause = 50 * time.Millisecond
)

// rename puts a file in place of another, which Windows refuses while that is open.
func rename(from, to string) error {
	var err error
	for range renameTries {
		if err = os.Rename(from, to); !isOpen(err) {
			return err
		}
		time.Sleep(renamePause)
	}
	if _, there := os.Lstat(to); there == nil {
		return fmt.Errorf("%w: another program may have it open; close it there and try again", err)
	}
	return err
}

func isOpen(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
