package mote

import (
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote/board"
	"motehound/mote/mcu"
)

// External flash, EEPROM and program flash outlive the power; SRAM, the radio's state and the flash chip's buffers do not.
func TestPowerCycleKeepsStores(t *testing.T) {
	for _, b := range []*board.Board{&board.MicaZ, &board.Mica2} {
		f, ok := examples.Find("counter", b.Name)
		if !ok {
			t.Fatal("no example")
		}
		im, err := image.Parse(f.File(), f.ELF())
		if err != nil {
			t.Fatal(err)
		}
		k, err := NewKind(b, im, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := k.New(5, 0, &testEnv{})
		m.RunUntil(2_000_000_000_000)
		m.flash.Write(1000, 0x5A)
		m.st.flash.Buffers[1][7] = 9
		listening, word := m.Radio().Listening(), m.ProgWord(k.ids[0].addr/2)
		m.PowerCycle()
		if m.Stopped() != mcu.Running || m.Time() < 2_000_000_000_000 {
			t.Errorf("%s: %v at %d ps", b.Name, m.Stopped(), m.Time())
		}
		if m.flash.Read(1000) != 0x5A || m.st.flash.Buffers[1][7] != 0 || m.ProgWord(k.ids[0].addr/2) != word {
			t.Errorf("%s: flash %#x, buffer %d", b.Name, m.flash.Read(1000), m.st.flash.Buffers[1][7])
		}
		if !listening || m.Radio().Listening() {
			t.Errorf("%s: the radio listened: %v, and does after the power cycle: %v", b.Name, listening, m.Radio().Listening())
		}
		m.RunUntil(4_000_000_000_000)
		if !m.Radio().Listening() {
			t.Errorf("%s: the radio does not listen again", b.Name)
		}
	}
}
