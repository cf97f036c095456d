package job

import (
	"context"
	"slices"
	"testing"

	"motehound/world"
)

// The memory checks of a long run end after some instructions, with a note. That and the checks themselves change nothing in the run.
func TestGuardEnds(t *testing.T) {
	run := func(g *Guard, limit uint64) (string, *guard) {
		f := Run{World: NewWorld(), File: "example:cpu-sort"}
		rec, w, _, err := f.Make(f.File, Host{})
		if err != nil {
			t.Fatal(err)
		}
		x, err := g.attach(rec, w, nil, Host{})
		if err != nil {
			t.Fatal(err)
		}
		if x != nil && limit > 0 {
			x.limit = limit
		}
		drive(context.Background(), w, 300*world.Millisecond, 0, x.look(nil))
		return w.Hash().String(), x
	}
	plain, none := run(&Guard{NoChecks: true}, 0)
	short, ended := run(new(Guard), 400_000)
	whole, full := run(&Guard{FullChecks: true}, 0)
	if plain != short || plain != whole {
		t.Errorf("the final state is %s, with checks %s, with checks to the end %s", plain, short, whole)
	}
	if ended.ended != 100*world.Millisecond || full.ended != 0 {
		t.Errorf("ended at %d and %d", ended.ended, full.ended)
	}
	want := []string{"memory checks from 0.100000000 s on: they are off after 400,000 instructions; --full-checks keeps them on"}
	if got := ended.leftOut(); !slices.Equal(got, want) || full.leftOut() != nil || len(none.leftOut()) != 1 {
		t.Errorf("left out: %q, to the end %q, without %q", got, full.leftOut(), none.leftOut())
	}
}
