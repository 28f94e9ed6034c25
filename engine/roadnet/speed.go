package roadnet

// defaultSpeed is the free-flow speed of a class in km/h where no limit is
// known: what people drive in towns and on open roads, taken together.
func defaultSpeed(c Class) float64 {
	switch c {
	case Motorway:
		return 105
	case Trunk:
		return 80
	case Primary:
		return 55
	case Secondary:
		return 50
	case Tertiary:
		return 42
	case Unclassified:
		return 35
	case Residential:
		return 28
	case Service:
		return 15
	}
	return 40
}

// Speeds in km/h that hold whatever the class and the limit.
const (
	unlimitedMotorway = 130
	linkMost          = 60 // ramps are curved
	linkShare         = 0.6
	roundaboutMost    = 30
	unpavedMost       = 35
	livingStreetMost  = 12
	parkingMost       = 10 // parking aisles and driveways
	alleyMost         = 15
	privateMost       = 20
)

// freeFlow is the speed without traffic in m/s: the limit if it is known, else
// the default of the class; less where the road is of a kind that slows.
func freeFlow(c Class, f Flags, limit uint8) float32 {
	kmh := float64(limit)
	switch {
	case limit == LimitNone && c == Motorway:
		kmh = unlimitedMotorway
	case limit == LimitUnknown || limit == LimitNone:
		kmh = defaultSpeed(c)
		if f.Has(FlagLink) {
			kmh = min(linkMost, kmh*linkShare)
		}
	}
	return float32(min(kmh, mostSpeed(f)) / 3.6)
}

// mostSpeed is the speed in km/h that the kind of a road allows.
func mostSpeed(f Flags) float64 {
	most := 1000.0
	for _, kind := range []struct {
		flag Flags
		kmh  float64
	}{
		{FlagRoundabout, roundaboutMost},
		{FlagUnpaved, unpavedMost},
		{FlagLivingStreet, livingStreetMost},
		{FlagParkingAisle, parkingMost},
		{FlagDriveway, parkingMost},
		{FlagAlley, alleyMost},
		{FlagPrivate, privateMost},
	} {
		if f.Has(kind.flag) {
			most = min(most, kind.kmh)
		}
	}
	return most
}
