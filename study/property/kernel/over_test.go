package kernel_test

import (
	"testing"

	"motehound/study/property/builtin"
	"motehound/study/property/kernel"
	"motehound/world"
)

// TestOver has two programs that sleep for ever in an ordinary run, too. The one with a kernel has nothing left to do, and is told to be left out; the one
// without has gone to sleep by its own instruction.
func TestOver(t *testing.T) {
	t.Parallel()
	for source, over := range map[string]bool{"testdata/over/over.c": true, "testdata/dead_disabled.c": false} {
		k, p := kindFrom(t, source)
		for _, learn := range []uint64{0, world.Second} {
			w, opt := alone(t, k), builtin.Options{Learn: learn}
			set, err := prepare(w, kernel.Check{}, opt)
			if err != nil {
				t.Fatal(err)
			}
			if err := set.Learn(w.Config(), &opt); err != nil {
				t.Fatal(err)
			}
			watch := set.Attach(w)
			w.RunUntil(p.until)
			dead := false
			for _, f := range watch.Findings() {
				dead = dead || f.Kind == kernel.DeadSleep
			}
			known := over && learn > 0
			if dead == known || len(set.LeftOut()) > 0 != known {
				t.Errorf("%s, after an ordinary run of %d s: dead %v, left out %q", source, learn/world.Second, dead, set.LeftOut())
			}
		}
	}
}
