package reproduce

import (
	"testing"

	"motehound/study/fieldtrace/record"
)

// items makes items of a text: letters are events, ! is a reset, ~ one that is uncertain, digits so many lost events, * a gap.
func items(text string) (list []Item) {
	for _, c := range text {
		switch {
		case c == '!' || c == '~':
			list = append(list, Item{Kind: record.Reset, Uncertain: c == '~'})
		case c == '*':
			list = append(list, Item{Kind: record.Missing})
		case c >= '0' && c <= '9':
			list = append(list, Item{Kind: record.Lost, Count: uint32(c - '0')})
		default:
			list = append(list, Item{Kind: record.Enter, Proc: uint16(c)})
		}
	}
	return list
}

func TestMatcher(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		target, run string
		done        bool
		pos         int // how far, if it is wrong
	}{
		{"abc", "abc", true, 0},
		{"abc", "abd", false, 2},
		{"abc", "ab", false, 2},
		{"a3b", "axyzb", true, 0},
		{"a3b", "axyb", false, 2},
		{"a2", "axy", true, 0},
		{"*abc", "xxabc", true, 0},
		{"ab*cd", "abxxcd", true, 0},
		{"ab*cd", "axxcd", false, 1},
		{"*3ab", "xxab", true, 0},
		{"a3*2bc", "axybc", true, 0},
		{"*ab", "acab", false, 2}, // the gap ends as soon as it can
		{"a*", "a", true, 0},
		{"ab!cd", "ab!cd", true, 0},
		{"ab!cd", "abx!cd", true, 0},   // the last event before the reset was not put down yet
		{"ab!cd", "abxy!cd", false, 2}, // but no more than that
		{"abb!cd", "ab!cd", false, 2},
		{"ab~cd", "abx!cd", true, 0},
		{"abb~cd", "ab!cd", true, 0},   // or is there twice
		{"ab~cd", "abxy!cd", false, 2}, // but no more than that
	} {
		target := &Target{Items: items(c.target)}
		m := newMatcher(target)
		for _, i := range items(c.run) {
			m.take(target, i, 0, nil)
		}
		if m.done(target) != c.done || !c.done && m.pos != c.pos {
			t.Errorf("%s, shown %s: done %v at %d, wrong %v", c.target, c.run, m.done(target), m.pos, m.wrong)
		}
	}
}

// A gap ends later if it is told to, and not before its time.
func TestEndOfGap(t *testing.T) {
	t.Parallel()
	target := &Target{Items: items("*abc"), From: []float64{0, 5, 5, 5}}
	for _, c := range []struct {
		skip int
		run  string // one item a second
		done bool
	}{{0, "abxxxabc", true}, {0, "xxxxxabxabc", false}, {1, "xxxxxabxabc", true}, {2, "xxxxxabxabc", false}} {
		m := newMatcher(target)
		for second, i := range items(c.run) {
			m.take(target, i, float64(second), map[int]int{1: c.skip})
		}
		if m.done(target) != c.done {
			t.Errorf("%s, skip %d: %+v", c.run, c.skip, m)
		}
	}
}

// Behind a watchdog's reset a run goes on; others begin a new one.
func TestResets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cause, before uint8
		want          bool
	}{{1, 0, false}, {9, 1, true}, {8, 0, true}, {11, 9, false}, {9, 9, true}, {2, 9, false}, {1, 9, false}} {
		if got := byWatchdog(c.cause, c.before); got != c.want {
			t.Errorf("flags %x after %x: %v", c.cause, c.before, got)
		}
	}
}

// Whatever a trace says and a run shows, the matcher keeps within the trace.
func FuzzMatcher(f *testing.F) {
	f.Add("a3*2bc!d~e", "axybbc!d!e")
	f.Add("*3*aabaab~", "aabaaaba!")
	f.Fuzz(func(t *testing.T, trace, run string) {
		target := &Target{Items: items(trace)}
		m := newMatcher(target)
		for _, i := range items(run) {
			m.take(target, i, 0, nil)
			if m.pos < 0 || m.pos > len(target.Items) {
				t.Fatalf("%q, shown %q: %+v", trace, run, m)
			}
		}
	})
}
