package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// What must hold at some time, and did not until the end, is said; it is no violation, since a longer run might show it.
func TestRunTellsWhatIsUnmet(t *testing.T) {
	elf, err := filepath.Abs(filepath.Join("..", "..", "examples", "elf", "blink-micaz.elf"))
	if err != nil {
		t.Fatal(err)
	}
	star := write(t, "unmet.star", `
network(motes = [mote(id = 1, board = "micaz", firmware = "`+elf+`")])
eventually("a light is on", each(lambda n: n.leds != 0))
eventually("never", each(lambda n: n.id == 2))
run(time = "1900ms")
`)
	doc := runJSON(t, star)
	if len(doc.Unmet) != 1 || doc.Unmet[0].Property != "never" || !strings.HasSuffix(doc.Unmet[0].Where, ":4:11") {
		t.Errorf("unmet %+v", doc.Unmet)
	}
	r := motehound(t, "run", star)
	if r.status != exitFine || !strings.Contains(r.stdout, `"never" (eventually) does not hold at the end`) {
		t.Errorf("exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}
