// Package motes makes example motes for programs that measure, and gives the processor time that they take.
package motes

import (
	"fmt"
	"syscall"
	"time"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/world"
)

// Kind is an example on a board: the build for the board, or else that for its chip.
func Kind(app string, b *board.Board) (*mote.Kind, error) {
	f, ok := examples.Find(app, b.Name)
	if !ok {
		f, ok = examples.Find(app, b.Chip.Name)
	}
	if !ok {
		return nil, fmt.Errorf("there is no example %s for %s", app, b.Name)
	}
	im, err := image.Parse(f.File(), f.ELF())
	if err != nil {
		return nil, err
	}
	return mote.NewKind(b, im, nil)
}

// Of is n motes of a kind, with ids from 0 on.
func Of(k *mote.Kind, n int) []world.MoteConfig {
	list := make([]world.MoteConfig, n)
	for i := range list {
		list[i] = world.MoteConfig{Kind: k, ID: uint16(i)}
	}
	return list
}

// CPUTime is the processor time that this process has used.
func CPUTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("BUG: getrusage: " + err.Error())
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
