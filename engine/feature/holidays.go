package feature

import (
	"slices"
	"strings"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/at"
	"github.com/rickar/cal/v2/au"
	"github.com/rickar/cal/v2/be"
	"github.com/rickar/cal/v2/br"
	"github.com/rickar/cal/v2/ca"
	"github.com/rickar/cal/v2/ch"
	"github.com/rickar/cal/v2/cz"
	"github.com/rickar/cal/v2/de"
	"github.com/rickar/cal/v2/dk"
	"github.com/rickar/cal/v2/es"
	"github.com/rickar/cal/v2/fi"
	"github.com/rickar/cal/v2/fr"
	"github.com/rickar/cal/v2/gb"
	"github.com/rickar/cal/v2/it"
	"github.com/rickar/cal/v2/jp"
	"github.com/rickar/cal/v2/nl"
	"github.com/rickar/cal/v2/no"
	"github.com/rickar/cal/v2/pl"
	"github.com/rickar/cal/v2/pt"
	"github.com/rickar/cal/v2/se"
	"github.com/rickar/cal/v2/us"
)

// holidaysOf are the national holidays of the country that a time zone belongs
// to, nil where they are not known.
func holidaysOf(zone string) *cal.Calendar {
	list := holidayList(zone)
	if list == nil {
		return nil
	}
	c := &cal.Calendar{Cacheable: true}
	c.AddHoliday(list...)
	return c
}

// holidayList goes by the city of the zone: a country is known by few cities.
func holidayList(zone string) []*cal.Holiday {
	city := zone[strings.LastIndexByte(zone, '/')+1:]
	for _, c := range countries() {
		if slices.Contains(c.cities, city) {
			return c.holidays
		}
	}
	return nil
}

type country struct {
	holidays []*cal.Holiday
	cities   []string
}

func countries() []country {
	return []country{
		{at.Holidays, []string{"Vienna"}},
		{au.HolidaysNSW, []string{"Sydney"}},
		{au.HolidaysVIC, []string{"Melbourne"}},
		{au.HolidaysQLD, []string{"Brisbane"}},
		{be.Holidays, []string{"Brussels"}},
		{br.Holidays, []string{"Sao_Paulo", "Campo_Grande", "Recife", "Fortaleza", "Bahia", "Manaus", "Belem", "Cuiaba"}},
		{ca.Holidays, []string{"Toronto", "Vancouver", "Edmonton", "Winnipeg", "Halifax", "Regina", "St_Johns"}},
		{ch.Holidays, []string{"Zurich"}},
		{cz.Holidays, []string{"Prague"}},
		{de.Holidays, []string{"Berlin", "Busingen"}},
		{dk.Holidays, []string{"Copenhagen"}},
		{es.Holidays, []string{"Madrid", "Canary"}},
		{fi.Holidays, []string{"Helsinki"}},
		{fr.Holidays, []string{"Paris"}},
		{gb.Holidays, []string{"London"}},
		{it.Holidays, []string{"Rome"}},
		{jp.Holidays, []string{"Tokyo"}},
		{nl.Holidays, []string{"Amsterdam"}},
		{no.Holidays, []string{"Oslo"}},
		{pl.Holidays, []string{"Warsaw"}},
		{pt.Holidays, []string{"Lisbon", "Azores", "Madeira"}},
		{se.Holidays, []string{"Stockholm"}},
		{us.Holidays, []string{"New_York", "Chicago", "Denver", "Los_Angeles", "Phoenix", "Detroit", "Anchorage", "Honolulu"}},
	}
}
