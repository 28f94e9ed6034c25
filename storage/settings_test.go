package storage_test

import (
	"testing"

	"retrace/storage/storagetest"
)

func TestSettings(t *testing.T) {
	w := storagetest.Must(t)
	if _, ok, err := w.Setting("view"); ok || err != nil {
		t.Error(ok, err)
	}
	for _, v := range []string{"porto", "", "taipei"} {
		if err := w.SetSetting("view", []byte(v)); err != nil {
			t.Fatal(err)
		}
		if got, ok, err := w.Setting("view"); string(got) != v || !ok || err != nil {
			t.Error(got, ok, err)
		}
	}
	if err := w.SetSetting("view", nil); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := w.Setting("view"); ok {
		t.Error("it is still set")
	}
}
