package mining

import (
	"cmp"
	"slices"
)

// hints say of an interval whether it may be to blame for one of some losses, by a look at it alone. So the others need not be kept in
// mind while all are read: blame finds the same among those that are hinted at as among all.
type hints map[origin]*hintsOf

// hintsOf is the hints of one mote in one run.
type hintsOf struct {
	serials map[uint32]bool      // of the instances that made the accesses
	cycles  []uint64             // of the writes that mixed data, ascending
	waits   map[uint16][]waiting // by task, from 1 on: by when the value was written
}

// waiting is a value that a task usually reads, until it was lost.
type waiting struct {
	from, to uint64 // cycles
	most     uint64 // the last end of this one and those before
	first    uint64 // when the first interval began that had the task meanwhile
}

func newHints(losses []lostValue) hints {
	h := hints{}
	for i := range losses {
		x := &losses[i]
		o := origin{int(x.Run), int(x.Mote)}
		if h[o] == nil {
			h[o] = &hintsOf{serials: map[uint32]bool{}, waits: map[uint16][]waiting{}}
		}
		of := h[o]
		for _, a := range []access{x.Wrote, x.Over, x.handled} {
			of.serials[a.by.serial] = true
		}
		if x.Mixed {
			of.cycles = append(of.cycles, x.Over.Cycle)
		}
		if !x.Mixed && x.Over.PC == x.Wrote.PC && x.reader.task != 0 {
			of.waits[x.reader.task] = append(of.waits[x.reader.task], waiting{from: x.Wrote.Cycle, to: x.Over.Cycle, first: ^uint64(0)})
		}
	}
	for _, of := range h {
		delete(of.serials, 0) // nobody
		slices.Sort(of.cycles)
		for _, list := range of.waits {
			slices.SortFunc(list, func(a, b waiting) int { return cmp.Compare(a.from, b.from) })
			most := uint64(0)
			for i := range list {
				most = max(most, list[i].to)
				list[i].most = most
			}
		}
	}
	return h
}

// at tells whether an interval may be to blame.
func (h hints) at(iv *Interval) bool {
	of := h[origin{iv.Run, iv.Mote}]
	if of == nil {
		return false
	}
	hinted := of.serials[uint32(iv.Serial+1)]
	if i, _ := slices.BinarySearch(of.cycles, iv.Start); i < len(of.cycles) && of.cycles[i] <= iv.End {
		hinted = true
	}
	for i := range iv.Tasks {
		t := &iv.Tasks[i]
		list := of.waits[t.ID+1]
		at, _ := slices.BinarySearchFunc(list, t.Start, func(w waiting, cycle uint64) int { return cmp.Compare(w.from, cycle) })
		for at--; at >= 0 && list[at].most > t.Start; at-- {
			if w := &list[at]; w.to > t.Start && iv.Start < w.first {
				w.first, hinted = iv.Start, true
			}
		}
	}
	return hinted
}
