package write

import (
	"fmt"
	"strings"
)

// The colours in which the map shows recoveries by day, 0xRRGGBB.
const (
	pathColour        = 0x0072B2
	deckColour        = 0xCC79A7
	belowColour       = 0x009E73
	alternativeColour = 0xD55E00
	inkColour         = 0x1B1F24
	paperColour       = 0xFFFFFF
)

// insertStyle keeps the style of a layer as QGIS looks for it.
const insertStyle = `INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, owner)
	VALUES ('', '', ?, 'geom', ?, ?, '', 1, ?, '')`

// title is the name of a layer's style.
func (l Layer) title() string { return "Retrace " + string(l) }

// symbol is one way to draw: the value that it is for, in words, its colour, and
// its width or size in millimetres.
type symbol struct {
	value, label string
	colour       uint32
	size         float64
	dashed       bool
}

// symbols are the ways in which a layer is drawn, by the values of a column;
// empty: all alike.
func (l Layer) symbols() (column string, all []symbol) {
	switch l {
	case Points:
		return "observed", []symbol{{"1", "reported", inkColour, 2.6, false}, {"0", "recovered", pathColour, 1.6, false}}
	case Spans:
		return "kind", []symbol{{"deck", "on an elevated road", deckColour, 1.2, false}, {"below", "below an elevated road", belowColour, 1.2, false},
			{"ground", "beside an elevated road", pathColour, 1.2, false}, {"tunnel", "in a tunnel", pathColour, 1.2, true}}
	case Samples:
		return "", []symbol{{"", "reported", inkColour, 2.6, false}}
	case Gaps:
		return "", []symbol{{"", "way of a gap", pathColour, 0.5, true}}
	case alternatives:
		return "", []symbol{{"", "another path", alternativeColour, 0.6, true}}
	case Links:
		return "", []symbol{{"", "driven on", inkColour, 0.3, false}}
	}
	return "", []symbol{{"", "driven path", pathColour, 0.9, false}}
}

// style is the style of a layer in the language of QGIS.
func (l spec) style() string {
	column, all := l.symbols()
	var b strings.Builder
	b.WriteString("<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n" + `<qgis version="3.22.0" styleCategories="Symbology">`)
	if column == "" {
		b.WriteString(`<renderer-v2 type="singleSymbol" enableorderby="0" forceraster="0" symbollevels="0">`)
	} else {
		fmt.Fprintf(&b, `<renderer-v2 type="categorizedSymbol" attr="%s" enableorderby="0" forceraster="0" symbollevels="0"><categories>`, column)
		for i, s := range all {
			fmt.Fprintf(&b, `<category symbol="%d" value="%s" label="%s" render="true" type="string"/>`, i, s.value, s.label)
		}
		b.WriteString("</categories>")
	}
	b.WriteString("<symbols>")
	for i, s := range all {
		if l.ofPoints() {
			fmt.Fprintf(&b, `<symbol type="marker" name="%d" alpha="1" clip_to_extent="1"><layer class="SimpleMarker" enabled="1" pass="0" locked="0">`, i)
			props(&b, "name", "circle", "color", rgba(s.colour), "outline_color", rgba(paperColour), "outline_style", "solid",
				"outline_width", "0.3", "outline_width_unit", "MM", "size", fmt.Sprint(s.size), "size_unit", "MM")
		} else {
			dash := "solid"
			if s.dashed {
				dash = "dash"
			}
			fmt.Fprintf(&b, `<symbol type="line" name="%d" alpha="1" clip_to_extent="1"><layer class="SimpleLine" enabled="1" pass="0" locked="0">`, i)
			props(&b, "line_color", rgba(s.colour), "line_style", dash, "line_width", fmt.Sprint(s.size), "line_width_unit", "MM",
				"capstyle", "round", "joinstyle", "round")
		}
		b.WriteString("</layer></symbol>")
	}
	b.WriteString("</symbols></renderer-v2></qgis>")
	return b.String()
}

// props writes names and values, which alternate.
func props(b *strings.Builder, pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(b, `<prop k="%s" v="%s"/>`, pairs[i], pairs[i+1])
	}
}

func rgba(c uint32) string { return fmt.Sprintf("%d,%d,%d,255", c>>16, c>>8&255, c&255) }

// kmlColour is a colour as KML writes it: alpha, blue, green, red.
func kmlColour(c uint32) string { return fmt.Sprintf("ff%02x%02x%02x", c&255, c>>8&255, c>>16) }
