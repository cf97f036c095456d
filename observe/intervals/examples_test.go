package intervals

import (
	"fmt"
	"testing"

	"motehound/examples"
	"motehound/firmware/kernel"
	"motehound/internal/testkit"
	record "motehound/observe/lifecycle"
	"motehound/world"
)

// The life of every example, alone and with a neighbour, is cut as the paper's algorithm cuts it. The reference is
// quadratic, so of each life only the beginning is compared.
func TestReferenceOnExamples(t *testing.T) {
	for _, f := range examples.All {
		if f.Board == "" || f.Plain {
			continue
		}
		t.Run(f.File(), func(t *testing.T) {
			t.Parallel()
			for i, items := range lives(t, f, 3*world.Second, 1500) {
				c := comparison{want: reference(items).intervals(), opt: Options{Spans: true}}
				a := New(c.sink, c.opt)
				for _, it := range items {
					a.Take(it)
				}
				a.Close(0)
				if c.failed == "" && c.seen != len(c.want) {
					c.failed = fmt.Sprintf("%d intervals, want %d", c.seen, len(c.want))
				}
				if c.failed != "" {
					t.Errorf("mote %d, %d items: %s", i, len(items), c.failed)
				}
				if len(c.want) < 3 {
					t.Errorf("mote %d: only %d intervals", i, len(c.want))
				}
			}
		})
	}
}

// lives are the items of two motes that run an example.
func lives(t *testing.T, f examples.Firmware, until uint64, most int) [2][]kernel.Item {
	t.Helper()
	w := testkit.Pair(t, testkit.Kind(t, f))
	var all [2][]kernel.Item
	if _, err := record.Record(w, func(i int, it kernel.Item) {
		if len(all[i]) < most {
			all[i] = append(all[i], it)
		}
	}); err != nil {
		t.Fatal(err)
	}
	w.RunUntil(until)
	return all
}
