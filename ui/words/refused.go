package words

import "fyne.io/fyne/v2/lang"

// Refused gives what a reader says of rows and points that it left out, mended or
// cut in the words of the window. A reason that is not known stays as it is.
func Refused() func(reason string) string {
	known := refusals()
	return func(reason string) string {
		if said, ok := known[reason]; ok {
			return said
		}
		return reason
	}
}

// refusals are the reasons of the readers and of the rules of cleaning, which are
// the same words each time, in the words of the window.
func refusals() map[string]string {
	return map[string]string{
		"longitude is not a number":                 lang.L("longitude is not a number"),
		"latitude is not a number":                  lang.L("latitude is not a number"),
		"longitude is not within -180 to 180":       lang.L("longitude is not within -180 to 180"),
		"latitude is not within -90 to 90":          lang.L("latitude is not within -90 to 90"),
		"position is 0, 0: the receiver had no fix": lang.L("position is 0, 0: the receiver had no fix"),
		"time cannot be read":                       lang.L("time cannot be read"),
		"time is not within the years 1970 to 2199": lang.L("time is not within the years 1970 to 2199"),
		"no position":                               lang.L("no position"),
		"no time":                                   lang.L("no time"),
		"trajectory has more samples than the limit, the rest is left out": lang.L("trajectory has more samples than the limit, the rest is left out"),
		"too few columns":                                                lang.L("too few columns"),
		"too many columns":                                               lang.L("too many columns"),
		"a quote is not closed":                                          lang.L("a quote is not closed"),
		"a line is too long":                                             lang.L("a line is too long"),
		"no trajectory id":                                               lang.L("no trajectory id"),
		"the geometry cannot be read":                                    lang.L("the geometry cannot be read"),
		"the geometry is empty":                                          lang.L("the geometry is empty"),
		"the geometry is too large":                                      lang.L("the geometry is too large"),
		"the geometry is neither point nor line":                         lang.L("the geometry is neither point nor line"),
		"there is no geometry":                                           lang.L("there is no geometry"),
		"the line has not one time for each position":                    lang.L("the line has not one time for each position"),
		"the record is marked as deleted":                                lang.L("the record is marked as deleted"),
		"not a GeoJSON feature":                                          lang.L("not a GeoJSON feature"),
		"the position cannot be read":                                    lang.L("the position cannot be read"),
		"the coordinates cannot be read":                                 lang.L("the coordinates cannot be read"),
		"the coordinate system cannot be taken":                          lang.L("the coordinate system cannot be taken"),
		"a waypoint, not part of a track":                                lang.L("a waypoint, not part of a track"),
		"not a sentence that can be read":                                lang.L("not a sentence that can be read"),
		"no sentence said the date before":                               lang.L("no sentence said the date before"),
		"the trip has no points":                                         lang.L("the trip has no points"),
		"points are missing, so that the times behind them may be wrong": lang.L("points are missing, so that the times behind them may be wrong"),
		"the polyline cannot be read":                                    lang.L("the polyline cannot be read"),
		"the polyline is cut off":                                        lang.L("the polyline is cut off"),
		"the same file was read already":                                 lang.L("the same file was read already"),
		"cannot be opened":                                               lang.L("cannot be opened"),
		"no trajectory file that can be read":                            lang.L("no trajectory file that can be read"),
		"a table that is no table of trajectories":                       lang.L("a table that is no table of trajectories"),
		"not in order of time, sorted":                                   lang.L("not in order of time, sorted"),
		"the same instant as the sample before, left out":                lang.L("the same instant as the sample before, left out"),
		"cannot be reached in the time, left out":                        lang.L("cannot be reached in the time, left out"),
		"cannot be reached in the time, cut":                             lang.L("cannot be reached in the time, cut"),
		"no sample for long, cut":                                        lang.L("no sample for long, cut"),
		"stands at a long stop, left out":                                lang.L("stands at a long stop, left out"),
		"stands for long, cut":                                           lang.L("stands for long, cut"),
		"stands still, left out":                                         lang.L("stands still, left out"),
		"time goes backwards, left out":                                  lang.L("time goes backwards, left out"),
		"far from the network, left out":                                 lang.L("far from the network, left out"),
	}
}
