package world

import (
	"math/rand/v2"
	"slices"

	"motehound/mote/periph"
)

// Press is a button that is pressed once: a contact that bounces when it closes and when it opens.
type Press struct {
	At, Hold uint64
	Bounces  int    // how often the contact opens again
	Within   uint64 // a time that is shorter than Hold
	High     bool   // the pin is high while the button is pressed
	Seed     uint64 // of the times of the bounces
}

// Contact is what a button's pin is from a moment on.
type Contact struct {
	At    uint64
	Drive periph.Drive
}

// Drives is what the pin is while the button is pressed, and while it is not.
func (p Press) Drives() (pressed, rest periph.Drive) {
	if p.High {
		return periph.DriveHigh, periph.PullDown
	}
	return periph.DriveLow, periph.PullUp
}

// Contacts lists what the pin is, from the first contact on.
func (p Press) Contacts() (list []Contact) {
	pressed, rest := p.Drives()
	draw := rand.New(rand.NewPCG(p.Seed, p.At))
	for _, edge := range []struct {
		at       uint64
		old, new periph.Drive
	}{{p.At, rest, pressed}, {p.At + p.Hold, pressed, rest}} {
		times := []uint64{0}
		for range 2 * p.Bounces {
			times = append(times, draw.Uint64N(p.Within)+1)
		}
		slices.Sort(times)
		for n, at := range times {
			d := edge.new
			if n%2 == 1 {
				d = edge.old
			}
			list = append(list, Contact{edge.at + at, d})
		}
	}
	return list
}
