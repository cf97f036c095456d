package world

import (
	"slices"

	"motehound/isa/avr"
	"motehound/mote"
)

// Log tells an observer what its motes have done since it was last asked. A core keeps one log for all of them: who asks first takes it
// over for the others, too.
type Log struct {
	w     *World
	motes []pending
}

// pending is what an observer has not asked for yet, of a mote. It stays empty as long as nobody else has a log.
type pending struct {
	unwanted bool
	passes   []avr.Pass
	moves    []avr.Move
}

func newLog(w *World, of func(mote int) bool) *Log {
	l := &Log{w: w, motes: make([]pending, len(w.motes))}
	for i := range l.motes {
		l.motes[i].unwanted = of != nil && !of(i)
	}
	return l
}

// Passed is where a mote has been of what PointsAt names, since it was last asked. The list is good until the mote runs on.
func (l *Log) Passed(i int) []avr.Pass {
	return take(l, i, l.w.observe.of[i].points, l.w.motes[i].Core().Passes, func(p *pending) *[]avr.Pass { return &p.passes },
		func(x *avr.Pass) uint32 { return x.PC })
}

// Moved is likewise for what DataAt names.
func (l *Log) Moved(i int) []avr.Move {
	return take(l, i, l.w.observe.of[i].data, l.w.motes[i].Core().Moves, func(p *pending) *[]avr.Move { return &p.moves },
		func(x *avr.Move) uint32 { return x.PC })
}

// take empties the log of a mote's core, and shares it among those who read it.
func take[T any](l *Log, i int, readers []reader, log *avr.Log[T], of func(*pending) *[]T, pc func(*T) uint32) []T {
	if len(readers) == 1 && readers[0].log == l {
		return log.Take()
	}
	list := log.Take()
	for _, r := range readers {
		if p := &r.log.motes[i]; !p.unwanted {
			mine := of(p)
			for k := range list {
				if r.wants(pc(&list[k])) {
					*mine = append(*mine, list[k])
				}
			}
		}
	}
	mine := of(&l.motes[i])
	list, *mine = *mine, (*mine)[:0]
	return list
}

// reader is who has a log of motes of a kind.
type reader struct {
	log *Log
	at  []bool // by word address: it is wanted
}

func (r *reader) wants(pc uint32) bool { return pc < uint32(len(r.at)) && r.at[pc] }

// addReader has an observer's instructions logged, too.
func addReader(list *[]uint32, readers *[]reader, log *Log, k *mote.Kind, at func(k *mote.Kind) []uint32) []uint32 {
	if at == nil {
		return nil
	}
	wanted := at(k)
	if wanted == nil {
		return nil
	}
	r := reader{log: log, at: make([]bool, k.Program().Words())}
	for _, pc := range wanted {
		if pc < uint32(len(r.at)) {
			r.at[pc] = true
		}
	}
	*readers = append(*readers, r)
	if *list == nil {
		*list = wanted
		return wanted
	}
	*list = append(slices.Clip(*list), wanted...)
	slices.Sort(*list)
	*list = slices.Compact(*list)
	return wanted
}
