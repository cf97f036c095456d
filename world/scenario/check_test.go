package scenario

import (
	"testing"

	"motehound/firmware/image"
)

// TestCheck wants names of a scenario found in the firmware, or the place where they are given.
func TestCheck(t *testing.T) {
	v := newFake(t, 1)
	for _, c := range []struct{ script, want string }{
		{`set_var(0, "u8", 255, at = "1s"); set_var(1, "flags.small", -8, at = "1s"); set_var(1, "head->id", 3, at = "1s")`, ""},
		{`set_var(0, "u9", 1, at = "1s")`, `a.star:2:8: no variable u9 in ../../firmware/image/testdata/types-dwarf4.elf`},
		{`set_var(0, "u8", 256, at = "1s")`, `a.star:2:8: 256 does not fit into u8 (uint8_t), which holds 0 to 255`},
		{`set_var(0, "points", 1, at = "1s")`, `a.star:2:8: points is struct point[3]; only numbers can be written, name one of its parts`},
		{`set_var(0, "in_flash[0]", 1, at = "1s")`, `a.star:2:8: in_flash[0] lies in flash, which cannot be set`},
		{`network(motes = [mote(board = "uno", firmware = "a", vars = {"u8": 256})])`, `a.star:1:22: vars of mote 0: 256 does not fit into u8 (uint8_t), which holds 0 to 255`},
		{`symbolic_var(0, "u8", function = "count_calls"); symbolic_frame(0, length = 1)`, ""},
		{`symbolic_var(0, "u8", function = "nothing")`, `a.star:2:13: ../../firmware/image/testdata/types-dwarf4.elf has no function nothing`},
		{`symbolic_var(0, "u9", function = "count_calls")`, `a.star:2:13: no variable u9 in ../../firmware/image/testdata/types-dwarf4.elf`},
		{`symbolic_var(0, "u8", file = "types.c", line = 1)`, `a.star:2:13: no code was made of types.c:1: choose a line with a statement that the compiler kept`},
		{`symbolic_wire(0, length = 1); wire(0, 1, framing = "hdlc")`, ""},
		{`symbolic_wire(0, length = 1); wire(0, 1)`, `a.star:2:14: no wire brings frames to USART 0 of mote 0: join it to another by wire(..., framing = "slip")`},
		{`symbolic_wire(1, length = 1)`, `a.star:2:14: no wire brings frames to USART 0 of mote 1: join it to another by wire(..., framing = "slip")`},
		{`at_line("types.c", 1, lambda n: True)`, `a.star:2:8: no code was made of types.c:1: choose a line with a statement that the compiler kept`},
		{`at_line("types.c", 120, lambda n: True, mote = 1)`, ""},
		{`silence("x", function = "count_calls", reason = "y"); silence("x", variable = "u8", reason = "y")`, ""},
		{`benign("u8", "s16")`, ""},
		{`benign("u9")`, `a.star:2:7: benign: no variable u9 in ../../firmware/image/testdata/types-dwarf4.elf`},
		{`silence("x", function = "nothing", reason = "y")`, `a.star:2:8: no firmware has a function nothing`},
		{`silence("x", variable = "nothing", reason = "y")`, `a.star:2:8: no firmware has a variable nothing`},
	} {
		got := ""
		if err := load1(t, c.script).Check(func(int) *image.Image { return v.im }); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.script, got, c.want)
		}
	}
}
