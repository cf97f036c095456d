package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
)

// energy shows what motes took from their supplies.
func (s *summary) energy() {
	if len(s.doc.Energy) == 0 {
		return
	}
	s.printf("\nEnergy, by the currents of the boards' datasheets (docs/exports.md):\n")
	t := s.table()
	t.AppendHeader(table.Row{"mote", "part", "mode", "time, s", "current, mA", "energy, mJ"})
	t.SetColumnConfigs([]table.ColumnConfig{right(4), right(5), right(6)})
	all := 0.0
	for _, m := range s.doc.Energy {
		for _, x := range m.States {
			t.AppendRow(table.Row{m.Mote, x.Part, x.Mode, fmt.Sprintf("%.6f", x.TimeS), fmt.Sprintf("%.5g", x.CurrentMA), fmt.Sprintf("%.3f", x.EnergyMJ)})
		}
		t.AppendRow(table.Row{m.Mote, "both", "total", "", fmt.Sprintf("%.5g", m.AverageMA), fmt.Sprintf("%.3f", m.TotalMJ)})
		all += m.TotalMJ
	}
	if len(s.doc.Energy) > 1 {
		t.AppendRow(table.Row{"all", "both", "total", "", "", fmt.Sprintf("%.3f", all)})
	}
	t.Render()
}
