package read

// What a guess assumed, as inspections note it.
const (
	NoteLatFirst      = "the geometries name the latitude first"
	NoteOrder         = "the columns have no names: longitude was taken to stand before latitude"
	NoteSmallTimes    = "times are small numbers: taken as seconds since 1970-01-01 UTC"
	NoteNoZone        = "the times name no zone"
	NoteDayFirst      = "the day was taken to stand before the month"
	NoteOneTrajectory = "no column names a trajectory or a vehicle: all rows are one trajectory"
)
