package job

import (
	"context"

	"motehound/job/document"
	"motehound/observe/coverage"
	"motehound/study/travel"
	"motehound/world"
)

// Covered is how often the lines of a source file were executed in the whole run, by all motes with the firmware of the mote that is looked at.
func (j *Journey) Covered(ctx context.Context, file string) ([]document.Hits, error) {
	if j.covered == nil {
		list, err := j.cover(ctx)
		if err != nil {
			return nil, err
		}
		j.covered = append([]coverage.File{}, list...)
	}
	list := []document.Hits{}
	for _, f := range j.covered {
		if f.Path == file && f.Firmware == j.Mote().Kind.Image.Path {
			for _, l := range f.Lines {
				list = append(list, document.Hits{Line: l.Line, Hits: l.Hits})
			}
		}
	}
	return list, nil
}

// cover makes the run again and counts.
func (j *Journey) cover(ctx context.Context) (list []coverage.File, err error) {
	watch := Host{Attach: func(w *world.World, _ bool) (func() error, error) {
		x := coverage.Watch(w)
		return func() error { list = x.Files(); return nil }, nil
	}}
	if j.Explored() {
		err = j.again(ctx, watch)
		return list, err
	}
	here := j.Here()
	stop := func() bool { return ctx.Err() != nil }
	if err := j.Go(travel.Point{}, stop); err != nil {
		return nil, err
	}
	w := j.World().Clone()
	if err := j.Go(here.Point, stop); err != nil {
		return nil, err
	}
	done, err := watch.attach(w)
	if err != nil {
		return nil, err
	}
	if !w.RunUnless(stop, j.Recipe.Until) {
		return nil, travel.ErrInterrupted
	}
	err = done()
	return list, err
}
