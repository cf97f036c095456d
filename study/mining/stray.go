package mining

import (
	"slices"

	"motehound/mote"
	"motehound/study/outlier"
	"motehound/world"
)

// What runs is in blocks, as far as these could be found. Each word that is in none is a feature of its own, behind the blocks: if
// an instruction runs there after all, it is counted by itself, and the user is told.

// strays are the words of an image that are in no block.
type strays struct {
	first int      // which of the field's blocks is the first that is none
	at    []uint32 // word addresses, ascending
}

// watchStrays counts what runs outside of blocks.
func (h *Collector) watchStrays() {
	h.w.Observe(world.Observer{
		Code: h.strayed,
		CodeAt: func(k *mote.Kind) []uint32 {
			if !h.field.has(k) {
				return nil
			}
			return h.field.strays.at
		},
	})
}

func (h *Collector) strayed(i int, _ uint64, pc uint32) bool {
	r := h.motes[i]
	n, ok := slices.BinarySearch(h.field.strays.at, pc)
	if r == nil || !ok {
		return false
	}
	if at, seen := slices.BinarySearch(h.ran, pc); !seen {
		h.ran = slices.Insert(h.ran, at, pc)
	}
	for k := range r.open {
		r.open[k].stray(uint32(h.field.strays.first + n))
	}
	return false
}

// stray counts an instruction that is in no block.
func (s *open) stray(feature uint32) {
	for i := range s.strays {
		if s.strays[i].Feature == feature {
			s.strays[i].N++
			return
		}
	}
	s.strays = append(s.strays, outlier.Count{Feature: feature, N: 1})
}

// appendStrays appends what ran outside of blocks, which come first in a counter.
func (s *open) appendStrays(dst outlier.Vector) outlier.Vector {
	if len(s.strays) == 0 {
		return dst
	}
	slices.SortFunc(s.strays, func(a, b outlier.Count) int { return int(a.Feature) - int(b.Feature) })
	return append(dst, s.strays...)
}

// Outside lists the places of the mined motes' instructions that ran in no block, by address.
func (h *Collector) Outside() []Place {
	var all []Place
	for _, pc := range h.ran {
		all = append(all, h.field.PlaceOf(pc*2))
	}
	return all
}
