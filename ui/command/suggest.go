package command

import (
	"fmt"
	"os"
	"strings"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/read"
	"retrace/storage"
)

// separatorOf is the separator that a flag names.
func separatorOf(text string) (string, error) {
	names := map[string]string{"comma": ",", "semicolon": ";", "tab": "\t", `\t`: "\t", "bar": "|", "space": " ", "blank": " "}
	if sep, ok := names[strings.ToLower(text)]; ok {
		return sep, nil
	}
	if len(text) > 1 || text == "\n" || text == "\r" || text == `"` {
		return "", usage("--separator %q: want comma, semicolon, tab, bar, space or the character itself", text)
	}
	return text, nil
}

// rolesOf are the columns that a flag names, by what they hold.
func rolesOf(columns map[string]string) (map[read.Role]string, error) {
	roles := map[read.Role]string{}
	for name, column := range columns {
		role := read.Role(strings.ToLower(name))
		switch role {
		case "trip", "id":
			role = read.TrajectoryID
		case "longitude", "x":
			role = read.Lon
		case "latitude", "y":
			role = read.Lat
		}
		switch role {
		case read.TrajectoryID, read.VehicleID, read.Time, read.Date, read.Clock, read.Lon, read.Lat, read.Geometry, read.Occupied:
			roles[role] = column
		default:
			return nil, usage("--columns %s=%s: a column can be the trajectory, vehicle, time, date, clock, lon, lat, geometry or occupancy", name, column)
		}
	}
	return roles, nil
}

// placesOf are the networks of the workspace; none where it cannot be opened.
func (s *session) placesOf() []read.Place {
	path, err := s.workspacePath()
	if err != nil {
		return nil
	}
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	w, err := storage.Open(path, storage.Options{ReadOnly: true, Program: "retrace " + s.version})
	if err != nil {
		return nil
	}
	defer w.Close()
	infos, err := w.Networks()
	if err != nil {
		return nil
	}
	var places []read.Place
	for _, i := range infos {
		places = append(places, read.Place{Name: i.Name, Bounds: i.Bounds})
	}
	return places
}

func placeOf(net *roadnet.Network) []read.Place {
	return []read.Place{{Name: net.Info().Name, Bounds: net.Info().Bounds}}
}

// suggest tells of another way to read the first file whose points lie outside every
// place, where that puts them inside one.
func (s *session) suggest(paths []string, opt read.Options, places []read.Place) {
	for _, path := range paths {
		if path == "-" || s.ctx.Err() != nil {
			continue
		}
		if found := read.Suggest(s.ctx, path, opt, places); found != nil {
			s.note("retrace: %s: its points lie outside of every network here; read with %s, %.0f%% lie inside of %s",
				path, flagsFor(*found, opt), 100*found.Share, found.Place)
			return
		}
	}
}

// flagsFor are the flags by which a file is read in another way.
func flagsFor(s read.Suggestion, opt read.Options) string {
	var flags []string
	switch {
	case s.CRS == opt.CRS:
	case s.CRS == "":
		flags = append(flags, fmt.Sprintf("no --crs (instead of %s)", opt.CRS))
	default:
		flags = append(flags, "--crs "+s.CRS)
	}
	switch {
	case s.Swap && !opt.Swap:
		flags = append(flags, "--swap")
	case !s.Swap && opt.Swap:
		flags = append(flags, "no --swap")
	}
	return strings.Join(flags, " and ")
}
