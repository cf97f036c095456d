// Package mining gathers observations for mining: it watches a world run and collects, for chosen interrupts, the
// event-handling intervals of its motes with an instruction counter each: how often each basic block was entered while the
// interval lasted, by whichever procedure. That is what shows interleaving.
//
// It ranks the intervals, explains the first of them, and judges whether they stand out: a LossTracker says in which of them data
// went astray.
//
// Watching changes nothing in the world. Memory is bounded by the open intervals, by the intervals that are kept, some bytes each, of which equal
// counters are kept once, and by the size of the firmware's static variables. The same runs give the same ranking.
package mining

import (
	"fmt"
	"slices"

	"motehound/firmware/cfg"
	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/observe/counters"
	"motehound/observe/intervals"
	"motehound/observe/lifecycle"
	"motehound/study/outlier"
	"motehound/world"
)

// Interval is an event-handling interval of some mote in some run.
type Interval struct {
	intervals.Interval
	Run    int    // index of the run, from 0
	Mote   int    // index in the world
	ID     uint16 // its node id
	Counts outlier.Vector
	// Timeline is what executed from its start to its end, if Options.Timeline asks for it: at most maxSteps steps.
	Timeline []Step
}

// Options say what to gather.
type Options struct {
	Vectors []uint16 // interrupts, numbered as in the datasheet; nil for all
	Motes   []int    // indices in the world; nil for all
	// Skip leaves out intervals that began within so many picoseconds of the mote's power-on: starting up is unlike
	// everything that follows, and happens once.
	Skip uint64
	// Partial keeps intervals that the end of the run or a reset cut off.
	Partial bool
	// Timeline asks for what executed during each interval, and by which instance. It takes memory.
	Timeline bool
	// Losses also books what becomes of data, if it is not nil.
	Losses *LossTracker
}

// Firmware is the firmware that is mined: its blocks are the features of all counters, and behind them what is in none, a word each.
type Firmware struct {
	Image  *image.Image
	Blocks []cfg.Block
	// Places are the features instead, where they are known by their source only, as those of traces. Then there is no Image.
	Places []Place
	kind   *mote.Kind
	code   cfg.Code
	from   [][]int // see into
	own    []int   // see ownFunctions
	strays strays
}

// NewFirmware finds the blocks of a firmware on its board.
func NewFirmware(k *mote.Kind) (*Firmware, error) {
	g := cfg.Follow(k.Program(), k.Image, len(k.Board.Chip.Vectors)-1)
	if len(g.Blocks) == 0 {
		return nil, fmt.Errorf("%s has no reachable code: is it a firmware?", k.Image.Path)
	}
	return &Firmware{Image: k.Image, Blocks: g.Whole(), kind: k, code: k.Program(), strays: strays{len(g.Blocks), g.Outside()}}, nil
}

// Collector collects the intervals of one run.
type Collector struct {
	field *Firmware
	opt   Options
	run   int
	w     *world.World
	motes []*moteRecord
	keep  func(*Interval)
	life  *lifecycle.Recorder
	books *books
	ended Interval // the one that has just ended
	ran   []uint32 // word addresses outside of blocks, ascending
}

// moteRecord is what is gathered of one mote.
type moteRecord struct {
	anatomist *intervals.Anatomist
	count     *counters.Mote
	open      []open // intervals that have not ended
	timeline  timeline
}

// open is an interval that has not ended.
type open struct {
	tag    int
	strays []outlier.Count
}

// Watch starts gathering in a world whose motes of the field's firmware are to be mined. Of motes with other firmware it sees nothing:
// several fields can be watched in one world. Every interval is given to keep, such as
// Collection.Keep; it is good until that returns. Close must be called when the run is over.
func (f *Firmware) Watch(w *world.World, run int, opt Options, keep func(*Interval)) (*Collector, error) {
	h := &Collector{field: f, opt: opt, run: run, w: w, motes: make([]*moteRecord, len(w.Motes())), keep: keep}
	leaders := make([]uint32, f.strays.first)
	for i, b := range f.Blocks[:f.strays.first] {
		leaders[i] = b.Start
	}
	count := counters.Of(w, func(k *mote.Kind) []uint32 {
		if !f.has(k) {
			return nil
		}
		return leaders
	})
	found := false
	for i, m := range w.Motes() {
		if f.has(m.Kind) && h.wantsMote(i) {
			h.motes[i] = h.newMoteRecord(i, count.Mote(i))
			found = true
		}
	}
	if !found {
		return nil, fmt.Errorf("none of the chosen motes runs %s", f.Image.Path)
	}
	h.watchStrays()
	if opt.Losses != nil {
		lives := make([]*intervals.Anatomist, len(h.motes))
		for i, r := range h.motes {
			if r != nil {
				lives[i] = r.anatomist
			}
		}
		h.books = opt.Losses.book(w, run, lives, opt.Skip)
	}
	life, err := lifecycle.RecordRounds(w, nil, func(i int) bool { return h.motes[i] != nil }, func(i int, it kernel.Item) {
		if h.books != nil {
			h.books.take(i, it)
		}
		h.motes[i].anatomist.Take(it)
	})
	h.life = life
	return h, err
}

// has tells whether motes of a kind run the field's firmware.
func (f *Firmware) has(k *mote.Kind) bool { return f.kind.SameBuild(k) }

// Profile is how the firmware's kernel works.
func (h *Collector) Profile() *kernel.Profile {
	for i, r := range h.motes {
		if r != nil {
			return h.life.Profile(i)
		}
	}
	panic("BUG: a collector without a mote")
}

func (h *Collector) wantsMote(i int) bool {
	for _, m := range h.opt.Motes {
		if m == i {
			return true
		}
	}
	return h.opt.Motes == nil
}

func (h *Collector) wantsVector(v uint16) bool {
	for _, x := range h.opt.Vectors {
		if x == v {
			return true
		}
	}
	return h.opt.Vectors == nil
}

func (h *Collector) newMoteRecord(i int, count *counters.Mote) *moteRecord {
	r := &moteRecord{count: count}
	var switched func(uint64, intervals.Active)
	if h.opt.Timeline {
		switched = func(cycle uint64, now intervals.Active) { r.timeline.add(cycle, now, len(r.open) > 0) }
	}
	r.anatomist = intervals.New(func(iv *intervals.Interval) { h.end(i, r, iv) }, intervals.Options{
		Switched: switched,
		Dropped:  func(iv *intervals.Interval) { r.drop(iv) },
		Started:  func(iv *intervals.Interval) { h.start(i, r, iv) },
		Restarted: func(iv *intervals.Interval) {
			if iv.Tag == 0 {
				h.start(i, r, iv)
				return
			}
			r.count.Restart(iv.Tag)
			at := slices.IndexFunc(r.open, func(o open) bool { return o.tag == iv.Tag })
			r.open[at].strays = r.open[at].strays[:0]
		},
	})
	return r
}

// start begins to count for an interval, if it is wanted.
func (h *Collector) start(i int, r *moteRecord, iv *intervals.Interval) {
	if h.wantsVector(iv.Vector) && h.w.Motes()[i].Time() >= h.opt.Skip {
		iv.Tag = r.count.Begin()
		r.open = append(r.open, open{tag: iv.Tag})
	}
}

// drop forgets an interval.
func (r *moteRecord) drop(iv *intervals.Interval) {
	if iv.Tag != 0 {
		r.open = slices.DeleteFunc(r.open, func(o open) bool { return o.tag == iv.Tag })
		r.count.End(iv.Tag)
	}
}

// appendCounts appends the counters that are not 0.
func appendCounts(dst outlier.Vector, counts *avr.Counts) outlier.Vector {
	for i, n := range counts.Each {
		dst = append(dst, outlier.Count{Feature: uint32(i), N: n})
	}
	return dst
}

// end hands an interval over that has ended.
func (h *Collector) end(i int, r *moteRecord, iv *intervals.Interval) {
	if iv.Tag == 0 {
		return
	}
	at := slices.IndexFunc(r.open, func(o open) bool { return o.tag == iv.Tag })
	was := r.open[at]
	r.open = slices.Delete(r.open, at, at+1)
	counts := r.count.End(iv.Tag)
	if !iv.Complete && !h.opt.Partial {
		return
	}
	e := &h.ended
	e.Interval, e.Run, e.Mote, e.ID = *iv, h.run, i, h.w.Motes()[i].ID()
	e.Counts = was.appendStrays(appendCounts(e.Counts[:0], counts))
	if h.opt.Timeline {
		e.Timeline = r.timeline.cut(iv)
	}
	h.keep(e)
}

// Close ends the run and returns how well each mote's life fits the model of events and tasks.
func (h *Collector) Close() []intervals.Stats {
	if h.books != nil {
		h.books.close()
	}
	var all []intervals.Stats
	for i, r := range h.motes {
		if r == nil {
			continue
		}
		r.anatomist.Close(h.w.Motes()[i].Cycles())
		all = append(all, r.anatomist.Stats())
	}
	return all
}
