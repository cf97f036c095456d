package mining

import (
	"slices"
	"strings"
	"testing"
)

// story lets values be written and read in one place: "a5" is instance a that writes 5, "b?" is b that reads, and "a0" is a that
// clears the place by other code. A word later is 100 cycles later, or 10 if it begins with a comma.
type story struct {
	e     entry
	d     doubt
	p     place
	cycle uint64
	value uint8
	from  uint64
}

func (s *story) tell(words string) {
	for _, word := range strings.Fields(words) {
		s.cycle += 100
		if word[0] == ',' {
			s.cycle -= 90
			word = word[1:]
		}
		by := access{PC: 2, Cycle: s.cycle, by: actor{serial: uint32(word[0]), vector: 5, task: 3}}
		if word[1] == '0' {
			by.PC = 4
		}
		if word[1] == '?' {
			s.e.read(&s.d, by)
			continue
		}
		s.e.overwrite(&s.p, &s.d, by, s.value, word[1], s.from)
		s.value = word[1]
	}
	s.e.settle(&s.d)
}

// What is and what is not a loss, with values that are usually read once.
func TestLedger(t *testing.T) {
	habit := ""
	for i := range 40 {
		habit += string(rune("xy"[i%2])) + string(rune('A'+i)) + " a? "
	}
	for _, c := range []struct {
		name, words string
		lost        []byte // values of which it is certain
	}{
		{"all is used", "", nil},
		{"overwritten", "b1 c2 b? a?", []byte{'1'}},
		{"overwritten twice", "b1 c2 d3 a?", []byte{'1', '2'}},
		{"with itself", "b1 c1 a?", nil},
		{"comes back unseen", "b1 c2 c1 a?", nil},
		{"comes back unseen but by its writer", "b1 c2 c? c1 a?", nil},
		{"comes back, but was seen", "b1 c2 a? c1 a?", []byte{'1'}},
		{"on the way", "b1 b2 a?", nil},
		{"on the way of another", "b1 c2 c3 a?", []byte{'1'}},
		{"read to be updated", "b1 ,c? ,c2 a?", nil},
		{"read and overwritten later", "b1 c? c2 a?", nil},
	} {
		var s story
		s.tell(habit + c.words)
		var got []byte
		for _, x := range losses([]place{s.p}) {
			if x.Usual != 1 || x.Reads != 0 || x.Over.Cycle <= x.Wrote.Cycle {
				t.Errorf("%s: %+v", c.name, x)
			}
			// A write's place in the story tells which it was.
			for i, word := range strings.Fields(habit + c.words) {
				if word = strings.TrimPrefix(word, ","); uint64(100*(i+1)) == x.Wrote.Cycle {
					got = append(got, word[1])
				}
			}
		}
		if !slices.Equal(got, c.lost) {
			t.Errorf("%s: lost %q, want %q", c.name, got, c.lost)
		}
	}
}

// many is words for n values, of so many different ones, by two instances in turn: "# a?" writes and reads.
func many(n, of int, each string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(each, "#", string(rune("xy"[i%2]))+string(rune('A'+i%of))))
	}
	return b.String()
}

// A place without a habit, with too few values to have one, or with a state in it, loses nothing.
func TestLedgerHabits(t *testing.T) {
	for _, c := range []struct {
		name, words string
		losses      int
	}{
		{"used", many(40, 40, "# a? ") + "b1 c2", 1},
		{"used twice", many(40, 40, "# a? a? ") + "b1 b? c2", 1},
		{"used twice, and often once", many(40, 40, "# a? a? ") + many(6, 6, "# a? ") + "b1 b? c2", 0},
		{"looked up", many(40, 40, "# a? a? a? a? ") + "b1 c2", 0},
		{"too few", many(10, 10, "# a? ") + "b1 c2", 0},
		{"a state", many(40, 8, "# a? ") + "b1 c2", 0},
		{"mostly the same", many(40, 40, "# a? ") + many(60, 1, "# a? ") + "b1 c2", 0},
		{"now and then not used", many(40, 40, "# a? ") + many(4, 4, "# ") + "b1 c2", 5},
		{"often not used", many(40, 40, "# a? ") + many(20, 20, "# ") + "b1 c2", 0},
		{"never used", many(40, 40, "# "), 0},
		{"cleared", many(40, 40, "# a? ") + "b1 c0 b2 c0", 0},
	} {
		var s story
		s.tell(c.words)
		if got := losses([]place{s.p}); len(got) != c.losses {
			t.Errorf("%s: %d losses, want %d: %v", c.name, len(got), c.losses, got)
		}
	}
}

// Who reads a value that came too early, and again when it was due, has got a mixture.
func TestLedgerMixed(t *testing.T) {
	for _, c := range []struct {
		words string
		mixed bool
	}{
		{"b1 c2 a? d3 a?", false},
		{"b1 c2 a? a? d3 a?", true},
	} {
		var s story
		s.tell(many(40, 40, "# a? ") + c.words)
		got := losses([]place{s.p})
		if len(got) != 1 || got[0].Mixed != c.mixed || got[0].reader != (actor{vector: 5, task: 3}) || got[0].Values != 42 || got[0].Lost != 1 {
			t.Errorf("%s: %+v", c.words, got)
		}
	}
}

// What nobody reads any more is forgotten since the first value that nobody read.
func TestLedgerForgotten(t *testing.T) {
	for _, c := range []struct {
		words string
		since int // words from the end, 0 if nothing is forgotten
	}{
		{"b1 a?", 0},
		{"b1", 1},
		{"b1 c2 d3", 3},
		{"b1 c2 a? d3", 0},   // one was lost before, so it may be a matter of losing
		{"b1 c2 | d3 b4", 2}, // intervals are gathered from | on
	} {
		var s story
		early, late, cut := strings.Cut(c.words, "|")
		s.tell(many(40, 40, "# a? ") + early)
		if cut {
			s.from = s.cycle + 1
		}
		s.tell(late)
		last := s.cycle
		if s.e.reads == 0 {
			s.e.end(&s.d, lostValue{Over: access{Cycle: last + 10_000}})
		}
		var since uint64
		for _, x := range losses([]place{s.p}) {
			if x.Over.PC == 0 {
				since = (last-x.Wrote.Cycle)/100 + 1
			}
		}
		if since != uint64(c.since) {
			t.Errorf("%s: forgotten since %d words from the end, want %d", c.words, since, c.since)
		}
	}
}

// A mote that never reads what others do has forgotten it, even where a value is lost now and then.
func TestLedgerNever(t *testing.T) {
	for _, c := range []struct {
		values int // of the mote that never reads
		want   bool
	}{{fewest, true}, {fewest - 1, false}} {
		var s story
		s.tell(many(40, 40, "# a? ") + "b1 c2 a?")
		other := story{p: s.p}
		other.tell(many(c.values, 40, "# "))
		other.e.end(&other.d, lostValue{Over: access{Cycle: other.cycle + 10_000}})
		got := slices.ContainsFunc(losses([]place{other.p}), func(x lostValue) bool { return x.Over.PC == 0 && x.never })
		if got != c.want {
			t.Errorf("%d values that nobody read: forgotten is %v", c.values, got)
		}
	}
}
