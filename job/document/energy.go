package document

import (
	"motehound/observe/energy"
	"motehound/world"
)

// Energy is what a mote took from its supply.
type Energy struct {
	Mote      uint16        `json:"mote"`
	SupplyV   float64       `json:"supply_v"`
	States    []EnergyState `json:"states"`
	TotalMJ   float64       `json:"total_mj"`
	AverageMA float64       `json:"average_ma"`
}

// EnergyState is a mode of the CPU or the radio.
type EnergyState struct {
	Part      string  `json:"part"` // CPU or radio
	Mode      string  `json:"mode"`
	TimeS     float64 `json:"time_s"`
	CurrentMA float64 `json:"current_ma"`
	EnergyMJ  float64 `json:"energy_mj"`
}

// EnergyOf is what the motes of a world took.
func EnergyOf(w *world.World, x *energy.Watcher) (list []Energy) {
	for i, m := range x.Motes() {
		e := Energy{Mote: w.Motes()[i].ID(), SupplyV: float64(m.Millivolts) / 1000, States: []EnergyState{}}
		on := 0.0
		for _, s := range m.States {
			state := EnergyState{s.Part, s.Mode, float64(s.PS) / world.Second, s.Microamps / 1000, s.Millijoules(m.Millivolts)}
			e.States = append(e.States, state)
			e.TotalMJ += state.EnergyMJ
			if s.Part == "CPU" {
				on += state.TimeS
			}
		}
		if on > 0 {
			e.AverageMA = e.TotalMJ / e.SupplyV / on
		}
		list = append(list, e)
	}
	return list
}
