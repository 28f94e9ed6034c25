package simulate

import "retrace/engine/roadnet"

// Profile is what is known of drivers, traffic and receivers. Chances are
// shares from 0 to 1; a spread is the standard deviation of the logarithm of
// what it spreads.
type Profile struct {
	// Trips.
	Distance       float64     // median straight distance from origin to destination, metres
	DistanceSpread float64     // its spread
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
		Distance: 3000, DistanceSpread: 0.6,
		Demand: [24]float64{3, 2, 2, 2, 2, 2, 3, 4, 6, 6, 5, 5, 5, 5, 6, 6, 6, 6, 6, 5, 4, 4, 4, 4},

		CostSpread: 0.25, TasteScale: 0.15, Unfamiliar: 0.3, Aim: 20, Turn: 6, TurnBack: 60,
		Detour: 0.04, Missed: 0.05, Return: 0.02,

		ClassSpeed:   [roadnet.NumClasses]float64{0.8, 0.9, 0.85, 0.85, 0.85, 0.85, 0.8, 0.75, 0.6},
		WeekdaySpeed: [24]float64{1, 1, 1, 1, 1, 1, 0.98, 0.92, 0.8, 0.8, 0.85, 0.85, 0.85, 0.85, 0.85, 0.85, 0.83, 0.78, 0.76, 0.82, 0.9, 0.95, 0.97, 1},
		WeekendSpeed: [24]float64{1, 1, 1, 1, 1, 1, 1, 1, 0.97, 0.95, 0.92, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.88, 0.88, 0.9, 0.92, 0.95, 0.97, 1},
		DriverSpread: 0.12, PlaceSpread: 0.15, StretchSpread: 0.25, StretchLength: 400,
		Accelerate: 1.6, Brake: 2.2, TurnSpeed: 5.5,

		Red: 0.45, RedLongest: 50, Queue: 18, HiddenSignal: 0.3, GiveWay: 0.35, GiveWayWait: 5,
		Crossing: 0.1, Incidents: 0.15, IncidentWait: 20, StartWait: 20, EndWait: 15,

		Noise: 2, Drift: 5, DriftSeconds: 45, Canyon: 1.8, UnderDeck: 2.5,
		Outlier: 0.001, OutlierReach: 200, Gap: 0.002, GapSeconds: 45,
	}
}
