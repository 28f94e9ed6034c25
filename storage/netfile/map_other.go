//go:build !unix

package netfile

import (
	"errors"
	"os"
)

// mapFile maps nothing: the file is read instead.
func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }
