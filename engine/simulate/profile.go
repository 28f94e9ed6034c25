package simulate

import "retrace/engine/roadnet"

// Profile is what is known of drivers, traffic and receivers. Chances are
// shares from 0 to 1; a spread is the standard deviation of the logarithm of
// what it spreads.
type Profile struct {
	// Trips.
	Distance       float64     // median straight distance from origin to destination, metres
	DistanceSpread float64     // its spread
	Focus          float64     // how much trips begin and end in the busiest quarters: 0 not at all
	Demand         [24]float64 // how many trips start in each hour, in any unit

	// Routes.
	CostSpread float64 // spread of the time that a driver takes a segment to cost
	TasteScale float64 // spread of a driver's liking for each class
	Unfamiliar float64 // share of drivers who keep to the main roads
	Aim        float64 // m/s: how strongly routes are drawn to the goal; the higher, the less
	Turn       float64 // cost of a turn by 90 degrees, seconds
	TurnBack   float64 // cost of a U-turn, seconds
	Detour     float64 // chance of a trip by way of another place
	Missed     float64 // chance of a missed turn
	Return     float64 // chance of turning back somewhere on the way

	// Speeds.
	ClassSpeed    [roadnet.NumClasses]float64 // share of free flow that is driven on an empty road
	WeekdaySpeed  [24]float64                 // share of that by hour
	WeekendSpeed  [24]float64
	DriverSpread  float64 // between drivers
	PlaceSpread   float64 // between segments, always the same
	StretchSpread float64 // along one trip
	StretchLength float64 // metres over which that varies
	Steady        float64 // share of drivers whose pace is more even than a taxi's, and who are held up less often
	SteadySpread  float64 // between these, beside DriverSpread: some are slow vehicles
	Accelerate    float64 // m/s²
	Brake         float64 // m/s²
	TurnSpeed     float64 // m/s in a turn by 90 degrees

	// What holds up.
	Red          float64 // chance to stop at a signal off peak
	RedLongest   float64 // the longest wait there, seconds
	Queue        float64 // mean length of the queue there, metres
	HiddenSignal float64 // share of large junctions without a known control that have one
	GiveWay      float64 // chance to stop where another road has priority
	GiveWayWait  float64 // mean wait there, seconds
	Crossing     float64 // chance to stop at a crossing
	Incidents    float64 // other stops for each kilometre
	IncidentWait float64 // their mean length, seconds
	StartWait    float64 // mean time that the vehicle stands before it leaves, seconds
	EndWait      float64 // and after it has arrived

	// Receivers.
	Noise        float64 // metres of error that differ from report to report
	Drift        float64 // metres of error that last, in the open
	DriftSeconds float64 // how long they last
	Canyon       float64 // times as much drift between houses
	UnderDeck    float64 // times as much drift below a deck
	Outlier      float64 // chance of a report far off
	OutlierReach float64 // how far, metres
	Gap          float64 // chance that a gap begins at a report
	GapSeconds   float64 // its mean length
}

// DefaultProfile describes taxis of Porto: see docs/simulator.md.
func DefaultProfile() *Profile {
	return &Profile{
		Distance: 3300, DistanceSpread: 0.66, Focus: 2.7,
		Demand: [24]float64{2, 2, 2, 2, 2, 2, 2, 3, 6, 8, 8, 7, 6.5, 6, 6.5, 6.5, 5.5, 4, 4, 3.5, 3, 3, 2.5, 2},

		CostSpread: 0.2, TasteScale: 0.12, Unfamiliar: 0.3, Aim: 15, Turn: 8, TurnBack: 60,
		Detour: 0.06, Missed: 0.1, Return: 0.04,

		ClassSpeed:   [roadnet.NumClasses]float64{1.2, 1.6, 2.1, 1.27, 1.22, 1.17, 1.45, 1.7, 1.4},
		WeekdaySpeed: [24]float64{0.86, 0.86, 0.9, 0.9, 1, 1, 1, 0.9, 0.72, 0.68, 0.7, 0.7, 0.71, 0.7, 0.7, 0.68, 0.66, 0.6, 0.52, 0.54, 0.66, 0.8, 0.86, 0.88},
		WeekendSpeed: [24]float64{0.88, 0.88, 0.9, 0.9, 0.95, 1, 1, 1, 0.85, 0.8, 0.78, 0.74, 0.74, 0.74, 0.76, 0.8, 0.78, 0.76, 0.7, 0.74, 0.78, 0.8, 0.84, 0.86},
		DriverSpread: 0.12, PlaceSpread: 0.25, StretchSpread: 0.42, StretchLength: 300,
		Steady: 0, SteadySpread: 0.25,
		Accelerate: 1.6, Brake: 2.2, TurnSpeed: 6,

		Red: 0.1, RedLongest: 70, Queue: 20, HiddenSignal: 0.2, GiveWay: 0.08, GiveWayWait: 5,
		Crossing: 0.3, Incidents: 0.62, IncidentWait: 22, StartWait: 16, EndWait: 38,

		Noise: 1.1, Drift: 3.7, DriftSeconds: 90, Canyon: 1.9, UnderDeck: 2.5,
		Outlier: 0.001, OutlierReach: 120, Gap: 0.0005, GapSeconds: 45,
	}
}
