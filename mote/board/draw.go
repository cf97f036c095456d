package board

import "motehound/mote/radio"

// Draw is what the parts of a board draw from its supply in each mode, in microamperes.
type Draw struct {
	Millivolts uint16
	CPU        []Current // by the names of the CPU's modes: active, and those of sleep
	Radio      [radio.NumDrawModes]float64
	// Transmit is by the power that is sent, ascending. A power in between takes the current of the next one.
	Transmit []TransmitCurrent
}

// Current is that of a mode.
type Current struct {
	Mode      string
	Microamps float64
}

// TransmitCurrent is that of sending with a power.
type TransmitCurrent struct {
	DBm       int16
	Microamps float64
}

// OfRadio is the current of the radio.
func (d *Draw) OfRadio(r radio.Draw) float64 {
	if r.Mode != radio.Transmits {
		return d.Radio[r.Mode]
	}
	for _, t := range d.Transmit {
		if t.DBm >= r.DBm {
			return t.Microamps
		}
	}
	return d.Transmit[len(d.Transmit)-1].Microamps
}

// micaCPU is the ATmega128L at 7.37 MHz and 3 V. Active and the two deepest modes are from Crossbow's MPR/MIB user manual, 7430-0021, estimate of
// battery life; the others were measured on a Mica2 by Shnayder et al., Simulating the Power Consumption of Large-Scale Sensor Network Applications,
// SenSys 2004, Table 1.
var micaCPU = []Current{{"active", 8000}, {"idle", 3200}, {"ADC noise reduction", 1000}, {"power-down", 8}, {"power-save", 8}, {"standby", 216}, {"extended standby", 223}}

// drawCC2420 is from SWRS041B, electrical specifications, current consumption: typical values. The synthesizer alone is not listed: it is taken as receiving.
var drawCC2420 = Draw{Millivolts: 3000, CPU: micaCPU,
	Radio:    [...]float64{radio.Off: 0.02, radio.PowerDown: 20, radio.Idles: 426, radio.Tunes: 18_800, radio.Receives: 18_800, radio.Transmits: 17_400},
	Transmit: []TransmitCurrent{{-25, 8500}, {-15, 9900}, {-10, 11_000}, {-5, 14_000}, {0, 17_400}}}

// drawCC1000 is from SWRS048A, electrical specifications, current consumption at 868 MHz: typical values.
var drawCC1000 = Draw{Millivolts: 3000, CPU: micaCPU,
	Radio:    [...]float64{radio.Off: 0, radio.PowerDown: 0.2, radio.Idles: 105, radio.Tunes: 5000, radio.Receives: 9600, radio.Transmits: 16_500},
	Transmit: []TransmitCurrent{{-20, 8600}, {-5, 13_800}, {0, 16_500}, {5, 25_400}}}

func drawOf(m *radio.Model) *Draw {
	if m == &radio.ModelCC2420 {
		return &drawCC2420
	}
	return &drawCC1000
}
