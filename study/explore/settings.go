package explore

import (
	"slices"

	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/chip"
)

// Settings of devices. What a device is to do is said in one register, and that it is to do it in another: ADMUX says at which pin the ADC looks, EEARL and EEARH say where the EEPROM reads and
// writes. If E has written such a setting, V writes another value and leaves that there, and E goes on to use the device without writing it again, then the device does for E what
// V wanted: analogRead() in a handler has the main program read the wrong pin. This is a lost update of the setting. It does not show in what the ADC gives if all pins read the same, so no values are compared.

// setting is a register that says what a device is to do.
type setting struct {
	image.Scalar
	control uint16    // to write this register is to use the device
	data    [2]uint16 // and to read one of these
}

func settingsOf(c *chip.Chip) (list []setting) {
	add := func(name string, addr, control uint16, data ...uint16) {
		if at := uint32(addr); at != 0 {
			s := setting{Scalar: image.Scalar{Name: name, Object: name, Addr: at, Size: 1, Whole: image.Range{Lo: at, Hi: at + 1}}, control: control}
			copy(s.data[:], data)
			list = append(list, s)
		}
	}
	add("ADMUX", c.ADC.ADMUX, c.ADC.ADCSRA, c.ADC.ADCL, c.ADC.ADCH)
	if e := c.EEPROM; e != nil {
		add("EEARL", e.EEARL, e.EECR, e.EEDR)
		add("EEARH", e.EEARH, e.EECR, e.EEDR)
	}
	return list
}

// set is how the devices of a mote are set.
func (k *kind) set(m *mote.Mote) []byte {
	return peeked(m, k.settings, func(x *setting) uint32 { return x.Addr })
}

// around are the instruction of E that makes a setting before V, and the one behind V that uses the device by it; nil if there are none.
func (x *setting) around(alone []entry, k int) (before, behind *entry) {
	before = lastAt(alone[:k], x.Addr)
	if before == nil || !before.touch.Write || before.touch.Read {
		return nil, nil
	}
	for n := k; n < len(alone); n++ {
		switch e := &alone[n]; {
		case !e.touches:
		case e.at(x.Addr) && e.touch.Write:
			return nil, nil
		case e.touch.Write && e.touch.Addr == x.control || e.touch.Read && slices.Contains(x.data[:], e.touch.Addr):
			if before.open || e.open {
				return before, e
			}
			return nil, nil
		}
	}
	return nil, nil
}

// settingAt finds a setting that has lost an update; nil if none has.
func (k *kind) settingAt(at *spot, f *contact) *race {
	for n := range k.settings {
		x := &k.settings[n]
		if !slices.Contains(f.sets, uint16(x.Addr)) {
			continue
		}
		if before, behind := x.around(at.alone, at.k); before != nil && f.left[n] != before.value {
			was := []byte{before.value}
			return &race{kind: lostUpdate, shared: x.Scalar, wrong: x.Scalar, is: f.left[n : n+1], first: was, last: was,
				before: before.pc, addr: before.touch.Addr, behind: behind.pc, writes: true, used: behind.pc}
		}
	}
	return nil
}

// resets tells whether an interrupt that comes before an instruction may lose an update of a setting.
func (k *kind) resets(alone []entry, at int, f *contact) bool {
	return len(f.sets) > 0 && slices.ContainsFunc(k.settings, func(x setting) bool {
		before, _ := x.around(alone, at)
		return before != nil && slices.Contains(f.sets, uint16(x.Addr))
	})
}
