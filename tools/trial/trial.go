// Package trial is what the programs share that try settings of recovery: the model
// that they recover by, and fields of the settings by their names.
package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"retrace/assets"
	"retrace/engine"
	"retrace/engine/ort"
)

// Model loads the bundle in a folder on the CPU; "": the one that comes with the
// program. The library is that of make onnxruntime.
func Model(folder string) (*engine.Model, error) {
	files, err := assets.Model(assets.DefaultModel)
	if folder != "" {
		files, err = os.DirFS(folder), nil
	}
	if err != nil {
		return nil, err
	}
	return ort.OpenOnCPU(files, filepath.Join(".cache", "onnxruntime"))
}

// Change sets fields, such as HMM.Turn=80+HMM.UTurn=300.
func Change(s *engine.Settings, changes string) error {
	for _, one := range strings.Split(changes, "+") {
		if err := set(s, one); err != nil {
			return err
		}
	}
	return nil
}

// set sets one field, such as HMM.Turn=80.
func set(s *engine.Settings, change string) error {
	path, text, _ := strings.Cut(change, "=")
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%s: want a field and a number, such as HMM.Turn=80", change)
	}
	v := reflect.ValueOf(s).Elem()
	for _, name := range strings.Split(path, ".") {
		if v.Kind() == reflect.Pointer { // shared by all: this one gets its own
			own := reflect.New(v.Type().Elem())
			own.Elem().Set(v.Elem())
			v.Set(own)
			v = own.Elem()
		}
		if v = v.FieldByName(name); !v.IsValid() {
			return fmt.Errorf("%s: there is no setting %s", change, name)
		}
	}
	switch {
	case v.CanFloat():
		v.SetFloat(value)
	case v.CanInt():
		v.SetInt(int64(value))
	default:
		return fmt.Errorf("%s is not a number", path)
	}
	return nil
}
