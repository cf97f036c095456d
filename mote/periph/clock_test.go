package periph

import (
	"fmt"
	"testing"
)

type clockDividers struct{ got []string }

func (c *clockDividers) SetDivider(num, den uint32) {
	c.got = append(c.got, fmt.Sprintf("%d/%d", num, den))
}

// ATmega328P (DS40002061A) section 9.12.2 and Table 9-17.
func TestCLKPR(t *testing.T) {
	d := &clockDividers{}
	c := &SystemClock{Cfg: &ClockConfig{CLKPR: 0x61, CLKPCE: 7, CLKPS: 0x0F, OSCCAL: 0x66},
		S: &SystemClockState{}, Control: d, CKDIV8: true}
	h := newTimerHost(t, c)
	if got := h.read(0, 0x61); got != 3 {
		t.Errorf("CLKPR = %d with CKDIV8, want 3", got)
	}
	h.write(10, 0x61, 0x80)
	h.wantRead("CLKPCE", 0x61, 0x83)
	h.write(14, 0x61, 0)
	h.write(20, 0x61, 1) // no CLKPCE
	h.write(30, 0x61, 0x80)
	h.write(35, 0x61, 4) // too late
	h.write(40, 0x61, 0x81)
	h.write(41, 0x61, 4) // CLKPCE only counts when the other bits are zero
	h.write(50, 0x61, 0x80)
	h.write(51, 0x61, 8)
	if got, want := fmt.Sprint(d.got), "[1/8 1/1 1/256]"; got != want {
		t.Errorf("dividers %s, want %s", got, want)
	}
	h.write(60, 0x66, 0x5A)
	h.wantRead("OSCCAL", 0x66, 0x5A)
}

// ATmega128 (2467X), "XTAL Divide Control Register - XDIV".
func TestXDIV(t *testing.T) {
	d := &clockDividers{}
	c := &SystemClock{Cfg: &ClockConfig{XDIV: 0x5C, XDIVEN: 7, OSCCAL: 0x6F}, S: &SystemClockState{}, Control: d}
	h := newTimerHost(t, c)
	h.write(0, 0x5C, 0x7F) // rejected: XDIVEN is zero
	h.wantRead("XDIV", 0x5C, 0)
	h.write(1, 0x5C, 0x80|127)
	h.write(2, 0x5C, 0x80|1) // only while XDIVEN is zero
	h.wantRead("XDIV", 0x5C, 0xFF)
	h.write(3, 0x5C, 0)
	h.write(4, 0x5C, 0x80)
	if got, want := fmt.Sprint(d.got), "[1/1 1/1 1/2 1/2 1/1 1/129]"; got != want {
		t.Errorf("dividers %s, want %s", got, want)
	}
}
