package behavior

import (
	"math/bits"
	"slices"
)

// modelSet is a set of models by number.
type modelSet []uint64

// add puts a model in.
func (s *modelSet) add(n int32) {
	for len(*s) <= int(n)/64 {
		*s = append(*s, 0)
	}
	(*s)[n/64] |= 1 << (n % 64)
}

// has tells whether a model is in.
func (s modelSet) has(n int32) bool { return int(n)/64 < len(s) && s[n/64]&(1<<(n%64)) != 0 }

// each visits the models in order of their numbers.
func (s modelSet) each(visit func(int32)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			visit(int32(64*i + bits.TrailingZeros64(w)))
		}
	}
}

// sequenceMember is an instance in the model sequence of its interrupt, with what came between.
type sequenceMember struct {
	Mote   int
	Vector uint16
	Model  *Model
	Number uint32
	Start  uint64
	Tree   *Node
	Inside modelSet // models of other instances that executed while this one was open: the first kind of 4.5
	Before modelSet // models of other instances that began since the member before it: the second kind
}

// weave puts the instances of one mote in relation. It takes them in order of their serials (those of main may come later,
// and interleave nobody) and gives members in that order, each as soon as all that was within it is known. What it keeps
// is bounded by how many instances are open at once.
type weave struct {
	emit    func(sequenceMember)
	recent  []woven // in order of serials: what an instance to come may have had within it
	waiting []waiting
	before  map[uint16]*modelSet
	newest  uint64
	any     bool
	room    int // how many recent ones before it is looked which may go
}

type woven struct {
	serial, end uint64
	model       *Model
}

type waiting struct {
	member sequenceMember
	serial uint64
	within []uint64
}

func newWeave(emit func(sequenceMember)) *weave {
	return &weave{emit: emit, before: map[uint16]*modelSet{}}
}

// take reads the next instance; model is nil if it is not complete, or else unknown.
func (w *weave) take(x *Instance, model *Model) {
	if w.any && x.Serial <= w.newest {
		return
	}
	w.newest, w.any = x.Serial, true
	if w.before[x.Vector] == nil {
		w.before[x.Vector] = &modelSet{}
	}
	if model != nil {
		w.recent = append(w.recent, woven{x.Serial, x.End, model})
		for v, set := range w.before { // each set by itself: the order does not matter
			if v != x.Vector || model.Dropped {
				set.add(model.Number)
			}
		}
		if !model.Dropped {
			w.waiting = append(w.waiting, waiting{
				member: sequenceMember{Mote: x.Mote, Vector: x.Vector, Model: model, Number: x.Number, Start: x.Start, Tree: x.Tree,
					Before: slices.Clone(*w.before[x.Vector])},
				serial: x.Serial, within: x.Within,
			})
			clear(*w.before[x.Vector])
		}
	}
	w.release(false)
	w.forget(x.Start)
}

// release gives the members whose insides are known.
func (w *weave) release(all bool) {
	n := 0
	for ; n < len(w.waiting); n++ {
		q := &w.waiting[n]
		if k := len(q.within); !all && k > 0 && q.within[k-1] > w.newest {
			break
		}
		for _, s := range q.within {
			i, ok := slices.BinarySearchFunc(w.recent, s, func(r woven, s uint64) int {
				switch {
				case r.serial < s:
					return -1
				case r.serial > s:
					return 1
				}
				return 0
			})
			if ok && s != q.serial {
				q.member.Inside.add(w.recent[i].model.Number)
			}
		}
		w.emit(q.member)
	}
	if n > 0 {
		w.waiting = append(w.waiting[:0], w.waiting[n:]...)
	}
}

// forget drops what ended before everything that is yet to be resolved began.
func (w *weave) forget(start uint64) {
	if len(w.recent) < max(w.room, 64) {
		return
	}
	if len(w.waiting) > 0 {
		start = min(start, w.waiting[0].member.Start)
	}
	w.recent = slices.DeleteFunc(w.recent, func(r woven) bool { return r.end < start })
	w.room = 2 * len(w.recent)
}

// close gives what is left.
func (w *weave) close() { w.release(true) }
