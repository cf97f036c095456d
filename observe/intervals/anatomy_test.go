package intervals

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"motehound/firmware/kernel"
)

var update = flag.Bool("update", false, "write what the cases of testdata give as their expectation")

// TestCases runs testdata: after lines of purpose, `options:`, `items:` in the paper's notation, and the intervals expected
// in the order of report. Item i is at cycle 10*i, or where @ says.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
				if out.Len() > 0 {
					out.WriteString("\n")
				}
				out.WriteString(runCase(t, block))
			}
			if *update {
				if err := os.WriteFile(name, []byte(out.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if out.String() != string(text) {
				t.Errorf("%s: got\n%s\nwant\n%s", name, out.String(), text)
			}
		})
	}
}

// runCase gives a case with the expectation replaced by what is found.
func runCase(t *testing.T, block string) string {
	var opt Options
	var items []kernel.Item
	var out strings.Builder
	for line := range strings.SplitSeq(block, "\n") {
		key, rest, _ := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, "#"):
		case key == "options":
			opt = parseOptions(t, rest)
		case key == "items":
			items = parse(t, rest)
		default:
			continue
		}
		out.WriteString(line + "\n")
	}
	opt.Spans = true
	a := New(func(iv *Interval) { out.WriteString(describe(iv) + "\n") }, opt)
	for _, it := range items {
		a.Take(it)
	}
	a.Close(0)
	if s := anomalies(a.Stats()); s != "" {
		out.WriteString("stats" + s + "\n")
	}
	return out.String()
}

func parseOptions(t *testing.T, text string) (opt Options) {
	for _, word := range strings.Fields(text) {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "by_start":
			opt.ByStart = true
		case "paper_end":
			opt.PaperEnd = true
		case "max_depth":
			opt.MaxDepth = n
		case "max_queue":
			opt.MaxQueue = n
		case "max_list":
			opt.MaxList = n
		default:
			t.Fatalf("unknown option %q", word)
		}
	}
	return opt
}

// parse reads `int(22) post(0) reti@35 run(0) end`.
func parse(t *testing.T, text string) []kernel.Item {
	var items []kernel.Item
	for i, word := range strings.Fields(text) {
		it := kernel.Item{Kind: kernel.NumKinds, Cycle: uint64(10 * i)}
		word, at, stamped := strings.Cut(word, "@")
		name, arg, hasArg := strings.Cut(strings.TrimSuffix(word, ")"), "(")
		for k := range kernel.NumKinds {
			if k.String() == name {
				it.Kind = k
			}
		}
		if name != "unknown" && it.Kind == kernel.NumKinds {
			t.Fatalf("unknown item %q", word)
		}
		for _, number := range []struct {
			there bool
			text  string
			to    func(uint64)
		}{
			{stamped, at, func(n uint64) { it.Cycle = n }},
			{hasArg, arg, func(n uint64) { it.Arg = uint16(n) }},
		} {
			if n, err := strconv.ParseUint(number.text, 10, 64); err == nil {
				number.to(n)
			} else if number.there {
				t.Fatalf("%q: %v", word, err)
			}
		}
		items = append(items, it)
	}
	return items
}

// render is the inverse of parse, without cycles.
func render(items []kernel.Item) string {
	var words []string
	for _, it := range items {
		switch it.Kind {
		case kernel.Reti, kernel.End, kernel.Reset:
			words = append(words, it.Kind.String())
		default:
			words = append(words, fmt.Sprintf("%s(%d)", it.Kind, it.Arg))
		}
	}
	return strings.Join(words, " ")
}

// describe is an interval as the cases have it: vector#instance, its items, and what there is to say of it. A task is
// its id after a / per depth beyond the first, where it was posted, ran and ended, and its state.
func describe(iv *Interval) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d#%d %d-%d", iv.Vector, iv.Instance, iv.StartItem, iv.EndItem)
	if !iv.Complete {
		b.WriteString(" incomplete")
	}
	for _, n := range []struct {
		name  string
		count int
	}{{"nested", iv.Nested}, {"failed", iv.Failed}, {"more_tasks", iv.MoreTasks}, {"more_spans", iv.MoreSpans}} {
		if n.count > 0 {
			fmt.Fprintf(&b, " %s=%d", n.name, n.count)
		}
	}
	for _, k := range iv.Tasks {
		fmt.Fprintf(&b, " %stask(%d)", strings.Repeat("/", int(k.Depth)-1), k.ID)
		if k.State == Waiting {
			fmt.Fprintf(&b, "[%d %s]", k.PostItem, k.State)
		} else {
			fmt.Fprintf(&b, "[%d %d-%d %s]", k.PostItem, k.RunItem, k.EndItem, k.State)
		}
	}
	fmt.Fprintf(&b, " cycles %d-%d:", iv.Start, iv.End)
	for _, s := range iv.Spans {
		fmt.Fprintf(&b, " %d-%d", s.From, s.To)
	}
	return b.String()
}

// TestClone: what the sink gets is used again, a clone is not.
func TestClone(t *testing.T) {
	var first *Interval
	var kept string
	a := New(func(iv *Interval) {
		if first == nil {
			first, kept = iv.Clone(), describe(iv)
		}
	}, Options{Spans: true})
	for _, it := range parse(t, "int(22) post(1) reti run(1) end int(16) post(2) post(3) reti run(2) end run(3) end") {
		a.Take(it)
	}
	if got := describe(first); got != kept {
		t.Errorf("the clone is now %s, was %s", got, kept)
	}
}

// TestSwitches: what executes, at the cycles where it changes.
func TestSwitches(t *testing.T) {
	var got []string
	a := New(func(*Interval) {}, Options{Switched: func(cycle uint64, v Active) {
		s := fmt.Sprintf("%d %d#%d", cycle, v.Vector, v.Instance)
		if v.Running {
			s += fmt.Sprintf(" task(%d)", v.Task)
		}
		got = append(got, s)
	}})
	deepest := 0
	for _, it := range parse(t, "reset int(22) post(1) post(2) reti run(1) int(16) int(17) reti reti end run(2) end") {
		a.Take(it)
		deepest = max(deepest, a.Depth())
	}
	a.Close(200)
	want := "0 1#1, 10 22#1, 40 1#1, 50 22#1 task(1), 60 16#1, 70 17#1, 80 16#1, 90 22#1 task(1), 100 0#0, " +
		"110 22#1 task(2), 120 0#0"
	if s := strings.Join(got, ", "); s != want || deepest != 3 {
		t.Errorf("got %s, at most %d deep, want %s, 3 deep", s, deepest, want)
	}
}
