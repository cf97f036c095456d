// Package record reads the logs that traced motes keep in their flash: pages to tokens, tokens to elements, elements to the events of
// procedures, with their boots, and how they interleave.
//
// Invariants: what a mote has traced comes out exactly, or missing parts are marked where they are missing; no input makes it panic,
// use more memory than a small multiple of its size (elements are made one by one: a few bytes can stand for billions of events), or
// run for ever (Most). The format is described in ../runtime/motehound_trace_state.h.
package record

import (
	"fmt"
	"iter"
)

// Layout is how large a mote's pages are: the runtime's MH_TRACE_CHUNK and MH_TRACE_CHUNKS.
type Layout struct{ Chunk, Chunks int }

// AT45DB is the layout for the flash of the Mica boards.
var AT45DB = Layout{Chunk: 33, Chunks: 8}

// Page is how many bytes a page has.
func (l Layout) Page() int { return l.Chunk * l.Chunks }

// Check says what is wrong with a layout.
func (l Layout) Check() error {
	if l.Chunk < checksumSize+headerSize+tokenSize || l.Chunk > 64 || l.Chunks < 1 || (l.Chunk-checksumSize)*l.Chunks-headerSize-setSize > 255 {
		return fmt.Errorf("pages of %d chunks of %d bytes: no tracer has them", l.Chunks, l.Chunk)
	}
	return nil
}

// Kind is what an event, or an element of the log, is about.
type Kind uint8

// Kinds of elements. The first four have the runtime's numbers.
const (
	Enter Kind = iota
	Path       // a back edge, or another edge that was cut
	Leave
	Call // Enter, and at once Leave; never of an Event

	Lost    // Count events that the mote had no room for; at least so many if it is MaxLost
	Reset   // the mote was reset; Arg is the cause, in the bits of its chip
	Fault   // the mote called mh_trace_fault; Arg is the reason
	Time    // the mote looked at its clock
	Missing // pages, Count of them, are not there
	Torn    // the rest of the page could not be read
	Broken  // the page holds what no tracer writes, from here on
	Endless // the log stands for more than Most events: the rest is left out
)

// Most is how many elements, or events, a log is read for. The flash of a mote has room for a hundredth of that, as a rule; damaged or made
// up, it can stand for billions.
const Most = 1 << 25

var kindNames = [...]string{"enter", "path", "leave", "call", "lost", "reset", "fault", "time", "missing", "torn", "broken", "endless"}

// String is the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Gap reports whether events before and after the element may have others between them that are not in the log.
func (k Kind) Gap() bool {
	return k == Lost || k == Missing || k == Torn || k == Broken || k == Endless
}

// MaxLost is as far as motes count events that were lost.
const MaxLost = 0xFFFF

// Element is one entry of a log.
type Element struct {
	Kind  Kind
	Proc  uint16
	Path  uint16
	Count uint32 // how often, one directly after the other
	Arg   uint8  // of Reset and Fault
	// Uncertain, of Reset: it came while an event was worked on, which may be missing before it, or there twice.
	Uncertain bool
}

// At is where and when an element was written.
type At struct {
	Page  int    // index in Log.Pages
	Boot  uint16 // the mote's boots, counted in its log
	Ticks uint32 // of its clock, the last known before
}

// Log is what was read of a mote's log.
type Log struct {
	Layout Layout
	Pages  []Page // from the oldest to the newest
	// Clock is how many ticks of the mote's clock are a second, or 0 if the log is empty.
	Clock int
	// Unread is how many places of the flash hold something that is no page: a torn one, or what others have put there.
	Unread int
}

// Elements goes through the log from the oldest to the newest.
func (l *Log) Elements() iter.Seq2[At, Element] {
	return func(give func(At, Element) bool) {
		left := Most
		yield := func(at At, e Element) bool {
			if left--; left < 0 {
				give(at, Element{Kind: Endless, Count: 1})
				return false
			}
			return give(at, e)
		}
		for i := range l.Pages {
			at := At{Page: i, Boot: l.Pages[i].Boot, Ticks: l.Pages[i].Ticks}
			if i > 0 {
				if gap := l.gap(i); gap > 0 && !yield(at, Element{Kind: Missing, Count: uint32(gap)}) {
					return
				}
			}
			if !l.Pages[i].elements(at, l.Layout, l.mayEnd(i), yield) {
				return
			}
		}
	}
}

// gap is how many pages are missing before one. Where one seems to be, but there is no room for it in the flash, a reset came before the page
// with that number was begun.
func (l *Log) gap(i int) int {
	gap := l.Pages[i].Number - l.Pages[i-1].Number - 1
	if gap == 1 && l.Pages[i].Place == l.Pages[i-1].Place+1 {
		return 0
	}
	return gap
}

// mayEnd reports whether a page need not be full: the last one of a boot, or, if the next boot began while the tracer was at work, the one
// before it, since what was in memory then has a page of its own.
func (l *Log) mayEnd(i int) bool {
	other := func(n int) bool { return l.Pages[n].Boot != l.Pages[i].Boot }
	if i+1 == len(l.Pages) || other(i+1) {
		return true
	}
	return i+2 < len(l.Pages) && other(i+2) && l.Pages[i+2].beginsUncertain()
}
