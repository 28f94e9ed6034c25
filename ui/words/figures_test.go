package words

import (
	"testing"
	"time"
)

func TestFiguresFollowTheLanguage(t *testing.T) {
	en, de := figuresLike("1,234.5 km 2006-01-02"), figuresLike("1.234,5 km 02.01.2006")
	at := time.Date(2013, 9, 26, 16, 51, 12, 0, time.UTC).UnixMilli()
	for _, c := range []struct{ got, want string }{
		{en.Count(4547), "4,547"}, {de.Count(4547), "4.547"}, {de.Count(-1234567), "-1.234.567"}, {de.Count(12), "12"},
		{en.Length(6630), "6.63 km"}, {de.Length(6630), "6,63 km"}, {de.Length(89.4), "89 m"}, {de.Length(1234567), "1.235 km"},
		{de.ShortLength(5460), "5,5 km"}, {en.Length(99_996), "100 km"}, {en.Length(99_994), "99.99 km"}, {en.Length(999.7), "1.00 km"},
		{de.Probability(0.54), "0,54"}, {de.Speed(15.5), "56 km/h"},
		{en.At(at, time.UTC), "2013-09-26 16:51:12"}, {de.At(at, time.UTC), "26.09.2013 16:51:12"},
	} {
		if c.got != c.want {
			t.Errorf("said %q, want %q", c.got, c.want)
		}
	}
}

func TestFiguresInMiles(t *testing.T) {
	f := figuresLike(InMiles("1.234,5 km 02.01.2006"))
	for _, c := range []struct{ got, want string }{
		{f.Length(89), "292 ft"}, {f.Length(5460), "3,39 mi"}, {f.Length(304.6), "999 ft"}, {f.Length(400), "0,25 mi"},
		{f.Length(2e6), "1.243 mi"}, {f.Speed(15.6464), "35 mph"},
	} {
		if c.got != c.want {
			t.Errorf("said %q, want %q", c.got, c.want)
		}
	}
	if !f.Miles() || figuresLike("1,234.5 km 2006-01-02").Miles() {
		t.Error("it is not told apart what is in miles")
	}
}

func TestTheRoadOfASpanIsNoTag(t *testing.T) {
	for tag, want := range map[string]string{"motorway": "motorway", "trunk": "trunk road", "residential": "residential street", "unclassified": "minor road",
		"Rua do Bonfim": "Rua do Bonfim", "A20": "A20"} {
		if got := SpanRoad(tag); got != want {
			t.Errorf("the road %q is called %q, want %q", tag, got, want)
		}
	}
}
