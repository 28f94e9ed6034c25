package words

import (
	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/citymodel"
)

// Method is a method of recovery in words.
func Method(name string) string {
	switch name {
	case engine.MethodHMM:
		return lang.L("map matching (HMM)")
	case engine.MethodRNTrajRec:
		return lang.L("model (RNTrajRec)")
	case citymodel.MTrajRec:
		return lang.L("MTrajRec, trained on this network")
	case citymodel.T2Vec:
		return lang.L("t2vec, trained on this network")
	case citymodel.RNTrajRec:
		return lang.L("RNTrajRec, trained on this network")
	}
	return name
}
