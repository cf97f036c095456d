package explore

import (
	"slices"
	"strings"
	"testing"

	"motehound/internal/testkit"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/digest"
)

// access is what an instruction touches, and when.
type access struct {
	cycle uint64
	touch avr.Touch
}

// Instructions that touch nothing may be executed together: what is touched, when, and what comes of it is as one by one.
func TestQuiet(t *testing.T) {
	t.Parallel()
	for _, example := range []string{"sense-micaz", "oscilloscope-mica2", "ring-uno", "button-uno"} {
		app, board, _ := strings.Cut(example, "-")
		k := testkit.Example(t, app, board)
		want, single, wantSum := accessesOf(testkit.Alone(t, k, 1).Motes()[0], false)
		got, together, gotSum := accessesOf(testkit.Alone(t, k, 1).Motes()[0], true)
		if !slices.Equal(got, want) || gotSum != wantSum || len(want) < 100 {
			t.Errorf("%s: %d accesses one by one, %d together, or another end", example, len(want), len(got))
		}
		if together > single*3/4 {
			t.Errorf("%s: %d steps instead of %d", example, together, single)
		}
	}
}

// accessesOf runs a mote, with quiet instructions together or not.
func accessesOf(m *mote.Mote, together bool) (list []access, steps int, end digest.Sum) {
	const until = 1_500_000
	for paused := false; m.Cycles() < until && !paused; steps++ {
		quiet := uint64(0)
		if _, asleep := m.Asleep(); !asleep {
			touch, ok := m.Core().Touches()
			if ok {
				list = append(list, access{m.Cycles(), touch})
			}
			if together {
				quiet = m.Core().Quiet()
			}
		}
		paused = m.StepsOn(max(quiet, 1), until)
	}
	d := digest.New()
	m.AppendRelative(&d)
	return list, steps, d.Sum()
}
