package world

import (
	"slices"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/mcu"
)

// watchedKind is the watched instructions of a kind of motes, the program that has hooks there, and whose they are.
type watchedKind struct {
	kind  *mote.Kind
	watch mcu.Watch
	code  *avr.Program
	by    []uint16 // by word address: whose list of calls it is
	calls [][]codeFunc
	fresh []bool // by list of calls: somebody wants to be called each time
	// Who has logs.
	points, data []reader
}

type codeFunc = func(mote int, cycle uint64, pc uint32) bool

// watchedKind finds what is watched of a kind. Nobody has asked for anything at first, but the world may for main.
func (w *World) watchedKind(k *mote.Kind) *watchedKind {
	for _, x := range w.observe.watched {
		if x.kind == k {
			return x
		}
	}
	x := &watchedKind{kind: k, calls: make([][]codeFunc, 1), fresh: make([]bool, 1)}
	w.observe.watched = append(w.observe.watched, x)
	if s := w.plan.start(k); s != nil {
		x.watch.At = []uint32{s.main}
	}
	return x
}

// add has an observer's instructions watched too.
func (k *watchedKind) add(o *Observer, log *Log) {
	if o.Code != nil {
		at := o.CodeAt(k.kind)
		k.watch.At = append(k.watch.At, at...)
		at = append(slices.Clip(at), addReader(&k.watch.Points, &k.points, log, k.kind, o.PointsAt)...)
		at = append(at, addReader(&k.watch.Data, &k.data, log, k.kind, o.DataAt)...)
		k.call(o.Code, at, o.Kept == nil)
	}
	if o.BlocksAt != nil {
		at := o.BlocksAt(k.kind)
		if at != nil && k.watch.Blocks != nil && !slices.Equal(at, k.watch.Blocks) {
			panic("BUG: two observers count different blocks")
		}
		if at != nil {
			k.watch.Blocks = at
		}
	}
	k.code = k.kind.Watched(k.watch)
}

// call has a function called at some word addresses, behind those that are called there already. A fresh one is called each time that a mote gets there.
func (k *watchedKind) call(f codeFunc, at []uint32, fresh bool) {
	with := map[uint16]uint16{} // lists, by the list that they were without the function
	of := map[uint16]bool{}     // lists that it is in
	for _, pc := range at {
		for uint32(len(k.by)) <= pc {
			k.by = append(k.by, make([]uint16, int(pc)+1-len(k.by))...)
		}
		was := k.by[pc]
		if of[was] {
			continue
		}
		list, ok := with[was]
		if !ok {
			list = uint16(len(k.calls))
			k.calls = append(k.calls, append(k.calls[was][:len(k.calls[was]):len(k.calls[was])], f))
			k.fresh = append(k.fresh, fresh || k.fresh[was])
			with[was], of[list] = list, true
		}
		k.by[pc] = list
	}
}

// repeats reports whether nobody has to be called each time at an instruction.
func (k *watchedKind) repeats(pc uint32) bool {
	return k != nil && pc < uint32(len(k.by)) && k.by[pc] != 0 && !k.fresh[k.by[pc]]
}

// reached calls whoever wants to know that a mote is before an instruction, and reports whether one of them stops it there.
func (k *watchedKind) reached(mote int, cycle uint64, pc uint32) (stop bool) {
	if pc < uint32(len(k.by)) {
		for _, f := range k.calls[k.by[pc]] {
			stop = f(mote, cycle, pc) || stop
		}
	}
	return stop
}
