package explore

import (
	"math/bits"

	"motehound/firmware/cfg"
	"motehound/mote"
	"motehound/study/check"
	"motehound/study/guide"
	"motehound/world"
)

var _ check.Scout = (*System)(nil)

// What walks are guided by. Features say nothing of which mote it was: motes with the same firmware show the same. They are
//   - the blocks of code that ran,
//   - which set of blocks ran in one transition, and what began it,
//   - what was pending when it began,
//   - values of flags: bytes of RAM that branches test (flags.go); each alone, together with what ran, and with each other flag.

// Kinds of features, as the archive sees them.
const (
	blocks = iota // check.Scout wants it so
	values
	meetings // of an event with what it met
	pairs
)

// What features are.
const (
	ranBlock = iota
	ranSet
	wasPending
	hasValue
	whileValue
	hasPair
	holdsValue
)

// scout is what is noted of a transition, in the body in which it happens.
type scout struct {
	mote    int
	name    uint64 // of what began it
	pending uint64
	was     []byte   // RAM, as far as flags go
	codes   []uint64 // of the flags' values, while they are looked at
}

// Scout implements check.Scout.
func (s *System) Scout(on bool) {
	if s.scouts == on {
		return
	}
	s.scouts = on
	if s.body != nil { // bodies that count and bodies that do not are different ones
		w := s.body.w.Clone()
		s.saveSuite(&s.suite)
		s.sh.give(s.body)
		s.body, s.rest = nil, w
	}
}

// Bulk implements check.Scout.
func (s *System) Bulk() (n int) {
	const rest = 8 << 10 // of a mote: registers, devices, queues
	for i := range s.sh.motes {
		n += rest + int(s.sh.motes[i].kind.kind.Board.Chip.RAMSize)
	}
	return n
}

// count has a body count blocks.
func (b *body) count() {
	b.scout = new(scout)
	b.w.Observe(world.Observer{BlocksAt: func(k *mote.Kind) []uint32 { return b.sh.kindFor(k).blocks }})
}

// kindFor is what is known of a kind that some mote has.
func (sh *shared) kindFor(k *mote.Kind) *kind {
	for i := range sh.kinds {
		if sh.kinds[i].kind == k {
			return &sh.kinds[i]
		}
	}
	panic("BUG: a mote of a kind that nobody knows")
}

// blocksOf is the addresses of a firmware's blocks.
func blocksOf(k *mote.Kind) (at []uint32) {
	for _, b := range cfg.Blocks(k.Program(), k.Image, len(k.Board.Chip.Vectors)-1) {
		at = append(at, b.Start)
	}
	return at
}

// Blocks is the word addresses of the blocks of a mote's code, in order.
func (s *System) Blocks(mote int) []uint32 { return s.sh.motes[mote].kind.blocks }

// Reached calls each with the number of every block that ran while somebody scouted, in motes with the firmware of one.
func (s *System) Reached(mote int, each func(block int)) {
	for n := range s.sh.motes[mote].kind.reached {
		for set := s.sh.motes[mote].kind.reached[n].Load(); set != 0; set &= set - 1 {
			each(n*64 + bits.TrailingZeros64(set))
		}
	}
}

// note keeps what a mote is like before an event.
func (s *System) note(i int, o *outlook, e check.Event) {
	t, k := s.body.scout, s.sh.motes[i].kind
	m := s.body.w.Motes()[i]
	s.body.w.Counts(i).Clear()
	t.mote = i
	t.name = nameOf(e)
	t.was = append(t.was[:0], m.RAM()[:k.flags.end]...)
	x := &s.seats[i]
	t.pending = o.ready
	coming := 0
	for _, q := range x.queues {
		coming += min(len(q), 2)
	}
	t.pending = o.ready<<8 ^ uint64(min(x.waiting, 3))<<4 ^ uint64(min(coming, 3))
}

// nameOf names an event whichever mote it is of, and whoever sent a frame.
func nameOf(e check.Event) uint64 {
	n := uint64(e.Class)<<32 | uint64(e.Option)<<16
	switch {
	case e.Class == check.Frame && e.Source < wireSource || e.Class == check.Fault:
	default:
		n |= uint64(e.Source)
	}
	if e.Intrudes() {
		n |= uint64(e.Serial) << 40
	}
	return n
}

// Seen implements check.Scout.
func (s *System) Seen(dst []guide.Feature) []guide.Feature {
	t, k := s.noted()
	if t == nil {
		return dst
	}
	if s.sh.opt.Inputs {
		return k.flags.values(k.id, t, s.body.w.Motes()[t.mote].RAM(), s.often(t, k, dst))
	}
	dst = s.ran(t, k, dst)
	dst = append(dst, guide.Hash(wasPending, k.id, t.name, t.pending).Of(meetings))
	return k.flags.seen(k.id, t, s.body.w.Motes()[t.mote].RAM(), dst)
}

// Values implements check.Scout.
func (s *System) Values(dst []guide.Rung) []guide.Rung {
	if t, k := s.noted(); t != nil {
		dst = k.flags.rungs(k.id, t, s.body.w.Motes()[t.mote].RAM(), dst)
	}
	return dst
}

// noted is what was noted of the last event, and what its mote is like; nil if nothing was: what went wrong while the motes booted is told, and nobody does anything.
func (s *System) noted() (*scout, *kind) {
	if !s.scouts || s.body == nil {
		return nil, nil
	}
	t := s.body.scout
	k := s.sh.motes[t.mote].kind
	if len(t.was) != int(k.flags.end) {
		return nil, nil
	}
	return t, k
}

// Holds implements check.Scout: the values of flags of the mote that the last event was of.
func (s *System) Holds(dst []guide.Feature) []guide.Feature {
	if !s.scouts || s.body == nil || s.sh.opt.Inputs {
		return dst
	}
	t := s.body.scout
	k := s.sh.motes[t.mote].kind
	return k.flags.hold(k.id, s.body.w.Motes()[t.mote].RAM(), dst)
}

// often appends which code ran, and about how often: a loop that gets further is something new.
func (s *System) often(t *scout, k *kind, dst []guide.Feature) []guide.Feature {
	counts := s.body.w.Counts(t.mote)
	for n, set := range counts.Reached {
		if set == 0 {
			continue
		}
		k.reach(n, set)
		for ; set != 0; set &= set - 1 {
			block := n*64 + bits.TrailingZeros64(set)
			dst = append(dst, guide.Hash(ranBlock, k.id, uint64(block), rough(uint64(counts.N[block]))))
		}
	}
	return dst
}

// Ran appends the blocks that the last event ran, by the word addresses of their first instructions, if events are scouted.
func (s *System) Ran(dst []uint32) []uint32 {
	if !s.scouts || s.body == nil {
		return dst
	}
	t := s.body.scout
	at := s.sh.motes[t.mote].kind.blocks
	for n := range s.body.w.Counts(t.mote).Each {
		dst = append(dst, at[n])
	}
	return dst
}

// rough makes few numbers of many: small ones are as they are.
func rough(n uint64) uint64 {
	const exact = 8
	if n < exact {
		return n
	}
	return exact + uint64(bits.Len64(n))
}

// reach notes blocks that ran.
func (k *kind) reach(n int, set uint64) {
	if r := &k.reached[n]; set&^r.Load() != 0 {
		r.Or(set)
	}
}

// ran appends which code ran.
func (s *System) ran(t *scout, k *kind, dst []guide.Feature) []guide.Feature {
	all := uint64(0)
	for n, set := range s.body.w.Counts(t.mote).Reached {
		if set == 0 {
			continue
		}
		k.reach(n, set)
		all = all*0x9e3779b97f4a7c15 + set*0xbf58476d1ce4e5b9 ^ uint64(n) ^ all>>29
		for ; set != 0; set &= set - 1 {
			dst = append(dst, guide.Hash(ranBlock, k.id, uint64(n*64+bits.TrailingZeros64(set)), 0))
		}
	}
	return append(dst, guide.Hash(ranSet, k.id, t.name, all).Of(meetings))
}
