package mining_test

import (
	"strings"
	"testing"

	"motehound/internal/cases"
)

// In a dropping interval the line that sends did not run although it usually does, and no line is listed twice.
func TestHeat(t *testing.T) {
	r, ranking := ranked(t, cases.All[1])
	first := &ranking.Suspects[0]
	type line struct {
		file string
		line int
	}
	seen := map[line]bool{}
	missing, usual := 0, 0
	for _, h := range r.Firmware.Heat(first) {
		if l := (line{h.File, h.Line}); seen[l] || h.Count == 0 && h.Usual == 0 {
			t.Errorf("%+v", h)
		} else {
			seen[l] = true
		}
		if h.Count == h.Usual {
			usual++
		} else if h.Count == 0 && strings.HasSuffix(h.File, "cc2420_transmit.c") {
			missing++
		}
	}
	if missing == 0 || usual == 0 {
		t.Errorf("%d lines of the radio's send are missing, %d ran as usual", missing, usual)
	}
	if code := r.Firmware.Disassemble(first.Why[0].PC, 3); len(code) == 0 || len(code) > 3 || !strings.HasPrefix(code[0], "0x") {
		t.Errorf("instructions %q", code)
	}
}
