package job

import (
	"context"

	"motehound/job/document"
	"motehound/observe/coverage"
	"motehound/study/travel"
	"motehound/world"
)

// Covered is how often the lines of a source file were executed, by all motes with the firmware of the mote that is looked at: as far as the run is recorded. Of a
// timed run that takes notes.
func (j *Journey) Covered(ctx context.Context, file string) (list []document.Hits, until travel.Point, err error) {
	until = j.Recorded()
	if j.covered == nil || j.coveredTo != until {
		files, err := j.cover(ctx)
		if err != nil {
			return nil, until, err
		}
		j.covered, j.coveredTo = append([]coverage.File{}, files...), until
	}
	list = []document.Hits{}
	for _, f := range j.covered {
		if f.Path == file && f.Firmware == j.Mote().Kind.Image.Path {
			for _, l := range f.Lines {
				list = append(list, document.Hits{Line: l.Line, Hits: l.Hits})
			}
		}
	}
	return list, until, nil
}

// cover is what notes say, or counts while the events of an explored run are made again.
func (j *Journey) cover(ctx context.Context) (list []coverage.File, err error) {
	if !j.Explored() {
		if j.notes != nil {
			list = j.notes.cover.Files()
		}
		return list, nil
	}
	err = j.again(ctx, Host{Attach: func(w *world.World, _ bool) (func() error, error) {
		x := coverage.Watch(w)
		return func() error { list = x.Files(); return nil }, nil
	}})
	return list, err
}
