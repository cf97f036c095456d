package job

import (
	"context"

	"motehound/world"
)

// drive runs a world until a moment, until no mote can go on, or until the context is done. Progress, which may be nil,
// is called after each slice of virtual time; 0 is a usual one.
func drive(ctx context.Context, w *world.World, until, slice uint64, progress func(now uint64)) {
	if slice == 0 {
		slice = 100 * world.Millisecond
	}
	for w.Now() < until && ctx.Err() == nil && !w.Stopped() {
		// Slices end on multiples of their length, so that where a run ends does not depend on where it began.
		now := w.Now()
		w.RunUnless(func() bool { return ctx.Err() != nil }, min(now-now%slice+slice, until))
		if progress != nil {
			progress(w.Now())
		}
	}
}
