package roadnet_test

import (
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

func TestWhereAllRoadsAreUnclassifiedTheClassIsNotKnown(t *testing.T) {
	same := roadnettest.Draw(t, 50, `
		A---B---C
	`, "ABC highway=unclassified")
	if c := same.Class(0); c != roadnet.ClassUnknown {
		t.Errorf("all roads are unclassified, and the class is %v", c)
	}
	mixed := roadnettest.Draw(t, 50, `
		A---B---C
	`, "AB highway=unclassified", "BC highway=primary")
	if c := mixed.Class(0); c != roadnet.Unclassified {
		t.Errorf("one of two roads is unclassified, and its class is %v", c)
	}
}
