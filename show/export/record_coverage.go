package export

import (
	"io"

	"motehound/observe/coverage"
	"motehound/world"
)

// recordCoverage has what a world's motes execute written by a function, at the end.
func recordCoverage(w *world.World, write func([]coverage.File) error) (done func() error, err error) {
	x := world.Shared(w, func() *sharedCoverage { return &sharedCoverage{watch: coverage.Watch(w)} })
	return func() error { return write(x.result()) }, nil
}

// sharedCoverage is what all reports of one run are made of.
type sharedCoverage struct {
	watch *coverage.Watcher
	files []coverage.File
	known bool
}

func (x *sharedCoverage) result() []coverage.File {
	if !x.known {
		x.files, x.known = x.watch.Files(), true
	}
	return x.files
}

func recordLCOV(w *world.World, to io.Writer) (done func() error, err error) {
	return recordCoverage(w, func(files []coverage.File) error { return LCOV(to, "run", files) })
}

func recordCobertura(w *world.World, to io.Writer) (done func() error, err error) {
	return recordCoverage(w, func(files []coverage.File) error { return writeCobertura(to, files) })
}
