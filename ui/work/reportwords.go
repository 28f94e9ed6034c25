package work

import "fyne.io/fyne/v2/lang"

// sayOfReport gives the words of a report in the language of the window.
func sayOfReport() func(string) string {
	words := reportWords()
	return func(english string) string {
		if said, ok := words[english]; ok {
			return said
		}
		return english
	}
}

// reportLanguage is the language of the window, as HTML names it.
func reportLanguage() string {
	return lang.L("language of this page, as HTML names it")
}

// reportWords are all words that a report says.
func reportWords() map[string]string {
	return map[string]string{
		"Network":                            lang.L("Network"),
		"written":                            lang.L("written"),
		"times of":                           lang.L("times of"),
		"trips":                              lang.L("trips"),
		"No.":                                lang.L("No."),
		"Trip":                               lang.L("Trip"),
		"Time":                               lang.L("Time"),
		"What":                               lang.L("What"),
		"Road":                               lang.L("Road"),
		"Latitude, longitude":                lang.L("Latitude, longitude"),
		"Sure":                               lang.L("Sure"),
		"Not listed, because less in doubt:": lang.L("Not listed, because less in doubt:"),
		"All trips":                          lang.L("All trips"),
		"How often each road was driven":     lang.L("How often each road was driven"),
		"Drives":                             lang.L("Drives"),
		"Drawn are the busiest roads:":       lang.L("Drawn are the busiest roads:"),
		"The busiest roads":                  lang.L("The busiest roads"),
		"Class":                              lang.L("Class"),
		"Busiest at (latitude, longitude)":   lang.L("Busiest at (latitude, longitude)"),
		"Drives there":                       lang.L("Drives there"),
		"Length driven on":                   lang.L("Length driven on"),
		"Mean speed":                         lang.L("Mean speed"),
		"Places in doubt":                    lang.L("Places in doubt"),
		"None.":                              lang.L("None."),
		"No pictures were asked for.":        lang.L("No pictures were asked for."),
		"With pictures are the trips most in doubt:": lang.L("With pictures are the trips most in doubt:"),
		"The trip":  lang.L("The trip"),
		"Warnings":  lang.L("Warnings"),
		"Over time": lang.L("Over time"),
		"Marks below a curve are reported points; shaded times are on (red), below (green) an elevated road, or in a tunnel (grey).": lang.L("Marks below a curve are reported points; shaded times are on (red), below (green) an elevated road, or in a tunnel (grey)."),
		"Reported and driven lengths":         lang.L("Reported and driven lengths"),
		"Part":                                lang.L("Part"),
		"Begin":                               lang.L("Begin"),
		"End":                                 lang.L("End"),
		"Reported points":                     lang.L("Reported points"),
		"Line between them":                   lang.L("Line between them"),
		"Driven":                              lang.L("Driven"),
		"Driven / line":                       lang.L("Driven / line"),
		"On and below elevated roads":         lang.L("On and below elevated roads"),
		"Entry":                               lang.L("Entry"),
		"Exit":                                lang.L("Exit"),
		"Length":                              lang.L("Length"),
		"Where":                               lang.L("Where"),
		"Probability":                         lang.L("Probability"),
		"Margin":                              lang.L("Margin"),
		"Runner-up":                           lang.L("Runner-up"),
		"Not listed:":                         lang.L("Not listed:"),
		"Elevated places without a picture:":  lang.L("Elevated places without a picture:"),
		"Places without a picture:":           lang.L("Places without a picture:"),
		"Made with":                           lang.L("Made with"),
		"Table of all trips":                  lang.L("Table of all trips"),
		"Duration":                            lang.L("Duration"),
		"Points":                              lang.L("Points"),
		"Reported line":                       lang.L("Reported line"),
		"Elevated":                            lang.L("Elevated"),
		"Lowest":                              lang.L("Lowest"),
		"Breaks":                              lang.L("Breaks"),
		"Left out":                            lang.L("Left out"),
		"In doubt":                            lang.L("In doubt"),
		"Where this comes from":               lang.L("Where this comes from"),
		"on an elevated road":                 lang.L("on an elevated road"),
		"below an elevated road":              lang.L("below an elevated road"),
		"in a tunnel":                         lang.L("in a tunnel"),
		"beside an elevated road":             lang.L("beside an elevated road"),
		"Recovered points":                    lang.L("Recovered points"),
		"Length of the reported line":         lang.L("Length of the reported line"),
		"Length driven":                       lang.L("Length driven"),
		"On elevated roads":                   lang.L("On elevated roads"),
		"Probability, mean and lowest":        lang.L("Probability, mean and lowest"),
		"Breaks in the path":                  lang.L("Breaks in the path"),
		"Reported points left out":            lang.L("Reported points left out"),
		"Vehicle":                             lang.L("Vehicle"),
		"File":                                lang.L("File"),
		"Trips":                               lang.L("Trips"),
		"Trips with places in doubt":          lang.L("Trips with places in doubt"),
		"Length of the reported lines":        lang.L("Length of the reported lines"),
		"Spans on and below elevated roads":   lang.L("Spans on and below elevated roads"),
		"of which deck or ground is in doubt": lang.L("of which deck or ground is in doubt"),
		"Breaks in the paths":                 lang.L("Breaks in the paths"),
		"Speed":                               lang.L("Speed"),
		"Recovered trips":                     lang.L("Recovered trips"),
		"How often each road was driven, both directions together": lang.L("How often each road was driven, both directions together"),
		"no way was found from here: the path is broken":           lang.L("no way was found from here: the path is broken"),
		"a recovered point of low probability":                     lang.L("a recovered point of low probability"),
		"deck or ground is in doubt":                               lang.L("deck or ground is in doubt"),
		"The whole trip":                                           lang.L("The whole trip"),
		"Made by":                                                  lang.L("Made by"),
		"Method":                                                   lang.L("Method"),
		"Model":                                                    lang.L("Model"),
		"Settings":                                                 lang.L("Settings"),
		"Fingerprint of the network":                               lang.L("Fingerprint of the network"),
		"Date of the map data":                                     lang.L("Date of the map data"),
		"Map data":                                                 lang.L("Map data"),
		"a reported point without a road near, left out":            lang.L("a reported point without a road near, left out"),
		"a reported point that no drive can pass in time, left out": lang.L("a reported point that no drive can pass in time, left out"),
		"motorway":     lang.L("motorway"),
		"trunk":        lang.L("trunk"),
		"primary":      lang.L("primary"),
		"secondary":    lang.L("secondary"),
		"tertiary":     lang.L("tertiary"),
		"unclassified": lang.L("unclassified"),
		"residential":  lang.L("residential"),
		"service":      lang.L("service"),
		"unknown":      lang.L("unknown"),
	}
}
