package mote

import (
	"strings"
	"testing"

	"motehound/firmware/image"
)

func TestInfer(t *testing.T) {
	symbol := func(name string) []image.Symbol { return []image.Symbol{{Name: "main"}, {Name: name}} }
	for _, c := range []struct {
		im    *image.Image
		board string
		hertz uint64
	}{
		{&image.Image{MCU: "atmega328p"}, "uno", 16_000_000},
		{&image.Image{MCU: "ATmega2560"}, "mega2560", 16_000_000},
		{&image.Image{MCU: "atmega128", Symbols: symbol("CC2420ControlP__m_channel")}, "micaz", 7_372_800},
		{&image.Image{MCU: "atmega128", Symbols: symbol("cc1000_on")}, "mica2", 7_372_800},
		{&image.Image{Arch: 51, Symbols: symbol("CC1000CsmaRadioP__f")}, "mica2", 7_372_800},
		{&image.Image{MCU: "atmega128", Symbols: symbol("x")}, "atmega128", 7_372_800},
		{&image.Image{MCU: "atmega128", Symbols: symbol("SchedulerBasicP__m_head")}, "micaz", 7_372_800},
	} {
		b, why, err := Infer(c.im)
		if err != nil || b.Name != c.board || b.Hertz != c.hertz || why == "" {
			t.Errorf("%s %v: got %v, %q, %v, want %s", c.im.MCU, c.im.Symbols, b, why, err, c.board)
		}
	}
	for _, im := range []*image.Image{{Path: "a.hex"}, {Path: "a.elf", MCU: "atmega8", Arch: 4}} {
		if _, _, err := Infer(im); err == nil || !strings.Contains(err.Error(), "micaz") || !strings.Contains(err.Error(), "atmega1281") {
			t.Errorf("%s: got error %v, want one that lists boards and chips", im.Path, err)
		}
	}
}
