package core

import (
	"fmt"
	"strings"
	"testing"
)

// crc16 is CRC-16/MODBUS, bit by bit.
func crc16(data []byte) uint16 {
	c := uint16(0xFFFF)
	for _, b := range data {
		c ^= uint16(b)
		for range 8 {
			if c&1 != 0 {
				c = c>>1 ^ 0xA001
			} else {
				c >>= 1
			}
		}
	}
	return c
}

// TestTable: a CRC by a table of 512 bytes takes one path, and what has a given sum is found. Where the table may be no larger, each of its
// values is a path, and those beyond the bound are told.
func TestTable(t *testing.T) {
	want := []byte{0x4D, 0x48}
	for where, name := range []string{"flash", "SRAM"} {
		k := compile(t, "table.c", fmt.Sprintf("-DSUM=%#xu", crc16(want)), fmt.Sprintf("-DWHERE=%d", where))
		x := explorer(t, Config{Verify: true})
		s, err := x.New(Mote{Kind: k})
		if err != nil {
			t.Fatal(err)
		}
		states := explore(t, s, second, 10)
		found := findings(states)
		if len(states) != 1 || len(found) != 1 || found[0].Kind != Assertion || x.Stats().Selects != 4 || x.Stats().LeftOut != 0 {
			t.Fatalf("%s: %d states found %v, %+v", name, len(states), found, x.Stats())
		}
		for i, b := range want {
			if v, ok := input(x, found[0], fmt.Sprintf("mote0.in[%d]", i)); !ok || v != uint64(b) {
				t.Errorf("%s: byte %d is %#x, want %#x: no other two bytes have this CRC", name, i, v, b)
			}
		}
		t.Logf("%s: %d expressions, %+v, solver %+v", name, x.pool.Len(), x.Stats(), x.solver.Stats())
	}
	x := explorer(t, Config{Table: 511, Values: 8})
	s, err := x.New(Mote{Kind: compile(t, "table.c", "-DSUM=0")})
	if err != nil {
		t.Fatal(err)
	}
	explore(t, s, second, 1000)
	if left := x.LeftOut(); len(left) == 0 || !strings.Contains(left[0].What, "more than 8 values") {
		t.Errorf("left out: %v", left)
	}
}
