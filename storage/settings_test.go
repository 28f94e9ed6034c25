package storage_test

import (
	"context"
	"slices"
	"testing"

	"retrace/storage/storagetest"
)

func TestSettingsAndHistory(t *testing.T) {
	w, ctx := storagetest.Must(t), context.Background()
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
	for _, e := range []string{"pin", "unpin", "remove"} {
		if _, err := w.AppendHistory([]byte(e)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.TrimHistory(3); err != nil {
		t.Fatal(err)
	}
	var got []string
	for e, err := range w.History(ctx, 2) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(e.Entry))
	}
	if !slices.Equal(got, []string{"unpin"}) {
		t.Error(got)
	}
}
