package tracing

import (
	"testing"

	"motehound/world"
)

// Tracing costs no more than in the paper, and the log says what was traced. (An hour of each is in docs/tracing.md.)
func TestCosts(t *testing.T) {
	const minutes = 3
	for _, r := range Rows {
		for _, b := range r.Boards {
			c, err := r.Measure(b, minutes*60*world.Second)
			if err != nil {
				t.Errorf("%s on a %s: %v", r.App, b.Name, err)
				continue
			}
			// While there is nothing but handlers for long, they put down what fits into memory.
			if c.Events == 0 || c.Lost > c.Events/1000 || c.Lost > 0 && r.Paper != (Paper{}) {
				t.Errorf("%s on a %s: %d events, %d lost", r.App, b.Name, c.Events, c.Lost)
			}
			if r.Paper == (Paper{}) {
				// Handlers are traced: what they trace is time in which others wait.
				if handlers := r.App == "starve_fixed"; handlers != (c.InHandlers > 0) || c.InHandlers > 10_000 {
					t.Errorf("%s on a %s: in handlers, interrupts wait for %d cycles", r.App, b.Name, c.InHandlers)
				}
				continue
			}
			// Less than a bit of the Mica2's radio, which takes its next byte within that.
			if c.Waits == 0 || c.Waits > 384 || c.InHandlers != 0 {
				t.Errorf("%s on a %s: interrupts wait for %d cycles, in handlers for %d", r.App, b.Name, c.Waits, c.InHandlers)
			}
			// In the first minutes there is more of it: the beginning, and boots that are on record at once.
			if flash := c.Flash * 60 / minutes; flash > r.Paper.Flash+600 {
				t.Errorf("%s on a %s: %d bytes an hour", r.App, b.Name, flash)
			}
			if c.RAM > r.Paper.RAM || c.Program > r.Paper.Program {
				t.Errorf("%s on a %s: %d bytes of memory, %d of program", r.App, b.Name, c.RAM, c.Program)
			}
			if c.Savings < r.Paper.Savings {
				t.Errorf("%s on a %s: %.1f %% saved", r.App, b.Name, c.Savings)
			}
		}
	}
}
