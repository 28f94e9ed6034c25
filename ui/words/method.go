package words

import (
	"fyne.io/fyne/v2/lang"

	"retrace/engine"
)

// Method is a method of recovery in words.
func Method(name string) string {
	switch name {
	case engine.MethodHMM:
		return lang.L("map matching (HMM)")
	case engine.MethodRNTrajRec:
		return lang.L("model (RNTrajRec)")
	}
	return name
}
