package osmimport

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"io"
)

// inflateStep is how much is unpacked before looking whether to go on.
const inflateStep = 1 << 20

// inflate unpacks in so that it fills out exactly.
func (z *inflater) inflate(ctx context.Context, in, out []byte) error {
	if err := z.reset(in); err != nil {
		return err
	}
	for len(out) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(len(out), inflateStep)
		if _, err := io.ReadFull(z.zr, out[:n]); err != nil {
			return err
		}
		out = out[n:]
	}
	var more [1]byte
	switch n, err := z.zr.Read(more[:]); {
	case n > 0:
		return errors.New("it holds more")
	case err != io.EOF:
		return err
	}
	return nil
}

func (z *inflater) reset(in []byte) (err error) {
	if z.zr == nil {
		z.zr, err = zlib.NewReader(bytes.NewReader(in))
		return err
	}
	return z.zr.(zlib.Resetter).Reset(bytes.NewReader(in), nil)
}
