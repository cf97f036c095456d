// Package calltree follows the control flow of running motes, and reports every instance of an event procedure as a call tree: real
// calls, tail calls and entries into inlined functions.
//
// Invariants: watching changes nothing in the world; trees consist of names and lines, never of addresses, and are interned in a Book,
// so that two instances that ran alike have the same *Node; memory is limited by the different trees, by what is open and by a number
// of known paths for each mote, whatever the motes do; what could not be followed is counted in Stats.
package calltree

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/kernel"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/observe/intervals"
	"motehound/observe/lifecycle"
	"motehound/world"
)

// Options say what to watch.
type Options struct {
	Motes   []int    // indices in the world; nil for all
	Vectors []uint16 // interrupts, numbered as in the datasheet; nil for all
	Filter  Filter
	// ByStart gives instances in order of their start, not of their end; see anatomy.Options.
	ByStart bool
	// Skip leaves out instances that began within so many picoseconds of the mote's power-on.
	Skip uint64
	// Touched hears which instances use the variables of the application, in order, before the sink gets those instances; nil if that does
	// not matter.
	Touched func(Touch)
	// Kernels are those that are not among the known ones.
	Kernels kernel.Descriptions
}

// Stats says how well control flow could be followed: all is well if everything is 0.
type Stats struct {
	Deep   uint64 // calls deeper than maxDepth, which are not shown
	Cut    uint64 // calls beyond the first maxCalls of their caller, for which it has a "…"
	Stray  uint64 // points reached in a function that nobody is known to have called
	Unsure uint64 // instances of which Within has the last maxWithin only
}

const (
	maxDepth  = 200     // active functions of a handler or task
	maxCalls  = 4096    // of one caller
	maxWithin = 1 << 14 // instances while another one is open
)

// Watcher follows the control flow of a world's motes.
type Watcher struct {
	w     *world.World
	book  *Book
	opt   Options
	sink  func(Instance)
	data  bool // there are variables to follow
	life  *lifecycle.Recorder
	calls *world.Log // of control flow
	moves *world.Log // of data
	kinds []watchedKind
	motes []*tracker

	instance *Func   // of all roots, once there is one
	roots    []*Node // by the ID of what an instance has alone below its root
}

type watchedKind struct {
	kind   *mote.Kind
	layout *layout
}

// Watch begins to follow the motes of a world, best at its start. Sink gets every instance that has ended. Close must be
// called when the run is over.
//
// Layer 1 of an instance's tree is its handler, named by the datasheet, and its tasks, in order of start. A handler's
// function and a task's own are one with those nodes. Posts are leaves named "post(TASK)", with the place of the post.
func Watch(w *world.World, book *Book, opt Options, sink func(Instance)) (*Watcher, error) {
	s, err := newSieve(opt.Filter)
	if err != nil {
		return nil, err
	}
	for _, i := range opt.Motes {
		if i < 0 || i >= len(w.Motes()) {
			return nil, fmt.Errorf("there is no mote %d to watch: the world has %d, numbered from 0", i, len(w.Motes()))
		}
	}
	h := &Watcher{w: w, book: book, opt: opt, sink: sink, motes: make([]*tracker, len(w.Motes()))}
	for i, m := range w.Motes() {
		if opt.Motes == nil || slices.Contains(opt.Motes, i) {
			h.motes[i] = newTracker(h, i, h.layoutOf(m.Kind, s))
		}
	}
	wanted := func(i int) bool { return h.motes[i] != nil }
	// The recorder comes first: what begins or ends at an instruction has done so when its calls are looked at.
	h.life, err = lifecycle.RecordRounds(w, opt.Kernels, wanted, func(i int, it kernel.Item) {
		if t := h.motes[i]; t != nil {
			t.item(it)
		}
	})
	if err != nil {
		return nil, err
	}
	for i, t := range h.motes {
		if t != nil {
			t.profile = h.life.Profile(i)
		}
	}
	h.calls = w.Observe(world.Observer{
		LogOf: wanted,
		Code: func(i int, _ uint64, pc uint32) bool {
			if t := h.motes[i]; t != nil {
				t.at(pc)
			} else {
				h.calls.Passed(i) // nobody wants it
			}
			return false
		},
		CodeAt:   h.posts,
		PointsAt: h.points,
		Kept: func(i int, d *digest.Digest) {
			if t := h.motes[i]; t != nil {
				t.appendKept(d)
			}
		},
	})
	if opt.Touched != nil {
		h.watchData(wanted)
	}
	return h, nil
}

// Data reports whether there are variables whose accesses go to Options.Touched.
func (h *Watcher) Data() bool { return h.data }

// root is the root of an instance with these nodes below. Most instances have one.
func (h *Watcher) root(below []*Node) *Node {
	if len(below) == 1 && below[0].ID < len(h.roots) && h.roots[below[0].ID] != nil {
		return h.roots[below[0].ID]
	}
	if h.instance == nil {
		h.instance = h.book.Func("instance", "", 0)
	}
	n := h.book.Node(Root, h.instance, Site{}, below)
	if len(below) == 1 {
		for len(h.roots) <= below[0].ID {
			h.roots = append(h.roots, nil)
		}
		h.roots[below[0].ID] = n
	}
	return n
}

// posts are the instructions of a kind of motes before which something may be posted: those that the kernel's profile watches.
func (h *Watcher) posts(k *mote.Kind) []uint32 {
	for _, t := range h.motes {
		if t != nil && t.m.Kind == k {
			return t.profile.Hooks()
		}
	}
	return nil
}

// points are the instructions of a kind of motes that control is followed by.
func (h *Watcher) points(k *mote.Kind) []uint32 {
	for _, x := range h.kinds {
		if x.kind == k {
			return x.layout.hooks()
		}
	}
	return nil
}

func (h *Watcher) layoutOf(k *mote.Kind, s *sieve) *layout {
	for _, x := range h.kinds {
		if x.kind == k {
			return x.layout
		}
	}
	l := newLayout(k.Image, k.Program(), h.book, s)
	h.kinds = append(h.kinds, watchedKind{k, l})
	return l
}

// Notes are what a user should know of what the trees cannot show, a sentence each.
func (h *Watcher) Notes() []string {
	var notes []string
	for _, x := range h.kinds {
		if im := x.layout.im; !im.HasDWARF() {
			notes = append(notes, cmp.Or(strings.TrimSuffix(im.DebugNote(), "."), im.Path+": no debug information; rebuild with -gdwarf-4")+
				"; until then only calls of functions in the symbol table are shown, and inlined ones are missing")
		}
	}
	return notes
}

// Stats is how well it went so far, all motes together.
func (h *Watcher) Stats() Stats {
	var s Stats
	for _, t := range h.motes {
		if t != nil {
			s.Deep += t.stats.Deep
			s.Cut += t.stats.Cut
			s.Stray += t.stats.Stray
			s.Unsure += t.stats.Unsure
		}
	}
	return s
}

// Close ends the run: what is still open is given to the sink as incomplete. It returns how well each watched mote's life
// fits the model of events and tasks.
func (h *Watcher) Close() []intervals.Stats {
	var all []intervals.Stats
	for i, t := range h.motes {
		if t != nil {
			t.close(h.w.Motes()[i].Cycles())
			all = append(all, t.anatomist.Stats())
		}
	}
	return all
}
