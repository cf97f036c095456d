package core

import (
	"fmt"

	"motehound/study/symbolic/expr"
)

// Sensor is what an ADC channel reads. A channel without one reads 0.
type Sensor struct {
	Channel uint8
	Name    string // for people
	Value   uint16 // what it reads, and what symbolic readings are at first
	From    int    // the first reading that is symbolic, counted from 0
	Count   int    // how many are; 0 for none
}

// reading is a sensor's value now, with the expressions of its bytes.
func (r *rig) reading(channel uint8) (value uint16, lo, hi uint32) {
	for i, sensor := range r.conf.Sensors {
		if sensor.Channel != channel {
			continue
		}
		s := r.cur
		nth := s.readings[i]
		s.readings[i]++
		if nth < sensor.From || nth >= sensor.From+sensor.Count {
			return sensor.Value, 0, 0
		}
		made := Made{Name: sensor.Name, Mote: s.mote, Origin: fmt.Sprintf("ADC channel %d", channel), Nth: nth,
			Cycle: r.m.Cycles(), Time: r.m.Time(), PC: r.m.Core().PC * 2, Sensor: true}
		var vars [2]expr.ID
		for b, width := range []int{8, 2} {
			vars[b] = r.x.variable(inputKey{mote: s.mote, mark: i, nth: nth, byte: b, sensor: true}, width,
				fmt.Sprintf("mote%d.%s%d[%d]", s.mote, sensor.Name, nth, b),
				fmt.Sprintf("reading %d of %s at mote %d, byte %d", nth, sensor.Name, s.mote, b))
		}
		if r.outOfRoom(r.m.Core().PC) {
			return sensor.Value, 0, 0
		}
		s.give(vars[:], []uint64{uint64(sensor.Value & 0xFF), uint64(sensor.Value >> 8 & 3)})
		made.Bytes = []expr.ID{vars[0], r.x.pool.ZExt(vars[1], 8)}
		s.made = append(s.made, made)
		return sensor.Value & 0x3FF, uint32(made.Bytes[0]), uint32(made.Bytes[1])
	}
	return 0, 0, 0
}
