package main

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// moment is a row of a place's truth.
type moment struct {
	time     int64 // Unix seconds
	at       roadnet.Point
	from, to int64   // OSM ids of the nodes that the edge lies between
	along    float64 // metres from the start of the drive
}

// readTruth reads the truth of a place.
func readTruth(file string) ([]moment, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var all []moment
	for i, r := range rows[min(1, len(rows)):] {
		m, err := readMoment(r)
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", file, i+2, err)
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no rows", file)
	}
	return all, nil
}

// readMoment reads the columns t, lon, lat, from_node, to_node, ratio and s.
func readMoment(row []string) (m moment, err error) {
	if len(row) != 7 {
		return m, fmt.Errorf("%d columns, want 7", len(row))
	}
	for i, to := range map[int]*int64{0: &m.time, 3: &m.from, 4: &m.to} {
		if *to, err = strconv.ParseInt(row[i], 10, 64); err != nil {
			return m, err
		}
	}
	for i, to := range map[int]*float64{1: &m.at.Lon, 2: &m.at.Lat, 6: &m.along} {
		if *to, err = strconv.ParseFloat(row[i], 64); err != nil {
			return m, err
		}
	}
	return m, nil
}

// drive is the truth of a place, by rising time.
type drive []moment

// when is where the vehicle has got to at an instant that the truth has.
func (d drive) when(time int64) (along float64, ok bool) {
	i := sort.Search(len(d), func(i int) bool { return d[i].time >= time })
	if i == len(d) || d[i].time != time {
		return 0, false
	}
	return d[i].along, true
}

// place is the point so many metres from the start of the drive.
func (d drive) place(along float64) roadnet.Point {
	i := sort.Search(len(d), func(i int) bool { return d[i].along >= along })
	if i == 0 || i == len(d) {
		return d[min(i, len(d)-1)].at
	}
	a, b := d[i-1], d[i]
	w := (along - a.along) / (b.along - a.along)
	return roadnet.Point{Lon: a.at.Lon + w*(b.at.Lon-a.at.Lon), Lat: a.at.Lat + w*(b.at.Lat-a.at.Lat)}
}

// evenly is where a vehicle is at an instant that drives evenly from where the truth
// has it at one instant to where it has it at another; false where it does not say.
// Unix milliseconds.
func (d drive) evenly(from, to, now int64) (roadnet.Point, bool) {
	a, ok := d.when(from / 1000)
	b, also := d.when(to / 1000)
	return d.place(a + (b-a)*float64(now-from)/float64(to-from)), ok && also
}

// truth fills the tables of a place with its true path, driven at an even pace
// between two samples whose instants the truth has. It is no recovery but a yardstick:
// by its figures it is seen which instants other figures were measured at.
func (b *bench) truth(net *roadnet.Network, dir string, t *trajectory.Trajectory, path, points *csvTable) error {
	if len(t.Samples) < 2 {
		return nil // the scoring program leaves it out
	}
	rows, err := readTruth(filepath.Join(dir, "truth.csv.gz"))
	if err != nil {
		return err
	}
	d := drive(rows)
	first, last := t.Samples[0].Time, t.Samples[len(t.Samples)-1].Time
	i := 0 // the sample before now
	for now := first; now <= last; now += b.tick.Milliseconds() {
		for i < len(t.Samples)-2 && t.Samples[i+1].Time <= now {
			i++
		}
		if p, ok := d.evenly(t.Samples[i].Time, t.Samples[i+1].Time, now); ok {
			points.addPlace(now, p)
		}
	}
	d.path(nodes(net), first/1000, last/1000, path)
	return nil
}

// path adds the edges driven between two instants. A new part begins where the
// truth leaves out an edge, being told by the second.
func (d drive) path(nodes map[int64]roadnet.Point, first, last int64, path *csvTable) {
	part, end, begun := 0, int64(0), false
	add := func(node int64) {
		p := nodes[node]
		path.add(strconv.Itoa(part), degrees(p.Lon), degrees(p.Lat))
	}
	var on [2]int64
	for _, m := range d {
		edge := [2]int64{m.from, m.to}
		if m.time < first || m.time > last || edge == on {
			continue
		}
		if !begun || m.from != end {
			part++
			add(m.from)
		}
		add(m.to)
		on, end, begun = edge, m.to, true
	}
}

// nodes are the places of all nodes of a network, by OSM id.
func nodes(net *roadnet.Network) map[int64]roadnet.Point {
	all := map[int64]roadnet.Point{}
	var vertices []roadnet.Vertex
	for id := range net.NumSegments() {
		vertices = net.Vertices(roadnet.SegmentID(id), vertices[:0])
		for _, v := range vertices {
			all[v.OSM] = v.Coord.Point()
		}
	}
	return all
}
