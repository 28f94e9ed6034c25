package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/muktihari/fit/encoder"
	"github.com/muktihari/fit/profile/filedef"
	"github.com/muktihari/fit/profile/mesgdef"
	"github.com/muktihari/fit/profile/typedef"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
)

// foreign is a file of a kind that Retrace reads and does not write, as the
// programs or receivers write it whose kind it is. Kinds that hold one trip get
// all samples as one.
func foreign(kind read.Kind, all []*trajectory.Trajectory) ([]byte, error) {
	switch kind {
	case read.FIT:
		return fitFile(all)
	case read.Arrow:
		return arrowFile(all)
	}
	var b strings.Builder
	switch kind {
	case read.Porto:
		b.WriteString("TRIP_ID,TAXI_ID,TIMESTAMP,MISSING_DATA,POLYLINE\n")
	case read.PLT:
		b.WriteString("Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0,0,2,8421376\n0\n")
	case read.TCX:
		b.WriteString("<TrainingCenterDatabase><Activities>\n")
	}
	for _, t := range all {
		text(&b, kind, t)
	}
	if kind == read.TCX {
		b.WriteString("</Activities></TrainingCenterDatabase>\n")
	}
	return []byte(b.String()), nil
}

// text writes one trip.
func text(b *strings.Builder, kind read.Kind, t *trajectory.Trajectory) {
	switch kind {
	case read.Porto:
		fmt.Fprintf(b, "%s,%s,%d,False,\"[", t.ID, t.Vehicle, t.Samples[0].Time/1000)
		defer b.WriteString("]\"\n")
	case read.TCX:
		fmt.Fprintf(b, "<Activity><Id>%s</Id><Lap><Track>\n", t.ID)
		defer b.WriteString("</Track></Lap></Activity>\n")
	}
	for i, s := range t.Samples {
		at := time.UnixMilli(s.Time).UTC()
		switch kind {
		case read.Porto:
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, "[%.6f,%.6f]", s.Lon, s.Lat)
		case read.PLT:
			fmt.Fprintf(b, "%.6f,%.6f,0,492,45293.3,%s,%s\n", s.Lat, s.Lon, at.Format(time.DateOnly), at.Format(time.TimeOnly))
		case read.TCX:
			fmt.Fprintf(b, "<Trackpoint><Time>%s</Time><Position><LatitudeDegrees>%.7f</LatitudeDegrees><LongitudeDegrees>%.7f</LongitudeDegrees></Position></Trackpoint>\n",
				at.Format(time.RFC3339), s.Lat, s.Lon)
		case read.NMEA:
			b.WriteString(rmc(at, s))
		}
	}
}

// rmc is a sentence of a receiver.
func rmc(at time.Time, s trajectory.Sample) string {
	minutes := func(v float64, wide int) string {
		whole, part := math.Modf(math.Abs(v))
		return fmt.Sprintf("%0*d%07.4f", wide, int(whole), part*60)
	}
	text := fmt.Sprintf("GPRMC,%s,A,%s,N,%s,W,22.4,084.4,%s,,", at.Format("150405.00"), minutes(s.Lat, 2), minutes(s.Lon, 3), at.Format("020106"))
	sum := byte(0)
	for _, c := range []byte(text) {
		sum ^= c
	}
	return fmt.Sprintf("$%s*%02X\r\n", text, sum)
}

func fitFile(all []*trajectory.Trajectory) ([]byte, error) {
	activity := filedef.NewActivity()
	activity.FileId.SetType(typedef.FileActivity).SetTimeCreated(time.UnixMilli(all[0].Samples[0].Time))
	for _, t := range all {
		for _, s := range t.Samples {
			activity.Records = append(activity.Records, mesgdef.NewRecord(nil).SetTimestamp(time.UnixMilli(s.Time)).
				SetPositionLatDegrees(s.Lat).SetPositionLongDegrees(s.Lon))
		}
	}
	file := activity.ToFIT(nil)
	var b bytes.Buffer
	err := encoder.New(&b).Encode(&file)
	return b.Bytes(), err
}

func arrowFile(all []*trajectory.Trajectory) ([]byte, error) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "trajectory", Type: arrow.BinaryTypes.String}, {Name: "time", Type: arrow.FixedWidthTypes.Timestamp_ms},
		{Name: "lon", Type: arrow.PrimitiveTypes.Float64}, {Name: "lat", Type: arrow.PrimitiveTypes.Float64}}, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema))
	rows := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for _, t := range all {
		for _, s := range t.Samples {
			rows.Field(0).(*array.StringBuilder).Append(t.ID)
			rows.Field(1).(*array.TimestampBuilder).Append(arrow.Timestamp(s.Time))
			rows.Field(2).(*array.Float64Builder).Append(s.Lon)
			rows.Field(3).(*array.Float64Builder).Append(s.Lat)
		}
		if err := w.Write(rows.NewRecordBatch()); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
