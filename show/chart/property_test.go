package chart

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// cellsOf expands a line to its cells. It measures runes by a rule of its own, which is right for those that randomChart uses.
func cellsOf(text string) []string {
	var cells []string
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Mn, r):
			cells[len(cells)-1] += string(r)
		case r >= 0x3000 && r < 0xd7b0 || r >= 0x1f600 && r < 0x1f650:
			cells = append(cells, string(r), "")
		default:
			cells = append(cells, string(r))
		}
	}
	return cells
}

var words = []string{"next", "task", "interrupt", "TIMER0_COMP", "セ", "センサーを読む", "cafe\u0301", "🙂", "a", "frame", "from",
	"DisseminationEngineImplP__0__DisseminatorControl__start", "-", "one,", "two;"}

func randomText(rng *rand.Rand, most int) string {
	var list []string
	for range 1 + rng.IntN(most) {
		list = append(list, words[rng.IntN(len(words))])
	}
	return strings.Join(list, " ")
}

// randomChart has rows of every kind, many of them equal to the one before.
func randomChart(rng *rand.Rand) *Chart {
	c := &Chart{}
	for i := range 1 + rng.IntN(20) {
		c.Columns = append(c.Columns, fmt.Sprintf("%s %d", []string{"mote", "センサー", "m"}[rng.IntN(3)], i))
	}
	for range rng.IntN(150) {
		if n := len(c.Rows); n > 0 && rng.IntN(3) == 0 {
			c.Rows = append(c.Rows, nearly(rng, c.Rows[n-1]))
			continue
		}
		c.Rows = append(c.Rows, randomRow(rng, len(c.Columns)))
	}
	number(c.Rows)
	if len(c.Rows) > 0 && rng.IntN(2) == 0 {
		c.Cycle = rng.IntN(len(c.Rows) + 1)
	}
	return c
}

// nearly gives a row again, or one that differs in one thing.
func nearly(rng *rand.Rand, r Row) Row {
	switch rng.IntN(12) {
	case 0:
		r.Changed = append(slices.Clone(r.Changed), "count: 1 -> 2")
	case 1:
		r.Notes = append(slices.Clone(r.Notes), fmt.Sprintf("posts job%d", len(r.Notes)))
	case 2:
		r.Title += " too"
	case 3:
		r.Lost = r.Class == classFrame && !r.Lost
	case 4:
		r.Mark = "here"
	case 5:
		r.Mote = 0
	case 6:
		r.From = -1
	}
	return r
}

// alike reports whether two rows say the same, whatever their numbers are.
func alike(a, b Row) bool {
	a.Number = b.Number
	return a.Mark == "" && reflect.DeepEqual(a, b)
}

func randomRow(rng *rand.Rand, columns int) Row {
	r := Row{Mote: rng.IntN(min(columns, 1+rng.IntN(columns))), Class: classes[rng.IntN(len(classes))], Title: randomText(rng, 8), From: -1}
	if rng.IntN(12) == 0 {
		r.Mote = allMotes
	}
	if r.Class == classFrame {
		r.From, r.Lost = rng.IntN(columns+1)-1, rng.IntN(3) == 0
	}
	for i := range rng.IntN(3) {
		r.Notes = append(r.Notes, fmt.Sprintf("%d %s", i, randomText(rng, 6)))
	}
	for range rng.IntN(3) {
		r.Changed = append(r.Changed, fmt.Sprintf("%s: %d -> %d", randomText(rng, 1), rng.IntN(1e6), rng.IntN(1e6)))
	}
	if rng.IntN(20) == 0 {
		r.Mark = randomText(rng, 9)
	}
	return r
}

func randomOptions(rng *rand.Rand) Options {
	o := Options{Width: 20 + rng.IntN(160), ASCII: rng.IntN(2) == 0}
	if rng.IntN(8) == 0 {
		o.Width = 0
	}
	if rng.IntN(2) == 0 {
		o.Head, o.Tail = rng.IntN(20), rng.IntN(20)
	}
	return o
}

func write(t *testing.T, c *Chart, opt Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(&b, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEveryChart(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c, opt := randomChart(rng), randomOptions(rng)
		text := write(t, c, opt)
		if again := write(t, c, opt); again != text {
			t.Fatalf("seed %d: not the same twice:\n%s\n%s", seed, text, again)
		}
		if opt.Width == 0 {
			opt.Width = 120
		}
		checkLines(t, text, opt)
		checkComplete(t, c, opt, text)
		if t.Failed() {
			t.Fatalf("seed %d, %+v:\n%s", seed, opt, text)
		}
	}
}

// checkLines: no line is too wide or ends in a space, and ASCII is ASCII.
func checkLines(t *testing.T, text string, opt Options) {
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if n := len(cellsOf(line)); n > opt.Width {
			t.Errorf("line %d takes %d cells of %d", i+1, n, opt.Width)
		}
		if strings.HasSuffix(line, " ") {
			t.Errorf("line %d ends in a space", i+1)
		}
		if opt.ASCII && strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("line %d is not ASCII", i+1)
		}
	}
}

var (
	timesRE = regexp.MustCompile(`(?:^| )x (\d+)\b`)
	leftRE  = regexp.MustCompile(`(\d+) events? left out`)
	lineRE  = regexp.MustCompile(`[│┊─┼═╪├┤►◄✕|:+=#<>X-]+`)
)

// block is the text that stands beside and below an event's number.
type block struct {
	number int
	marked bool
	text   string
}

// blocks takes a chart apart again, by the numbers in its margin. The first block is what stands before any event.
func blocks(t *testing.T, c *Chart, opt Options, text string) []block {
	lay, err := c.clean(opt.ASCII).layout(opt)
	if err != nil {
		t.Fatal(err)
	}
	list := []block{{}}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, restName) {
			break // below the chart: who has no column
		}
		cells := cellsOf(strings.TrimSuffix(line, "\n"))
		margin := min(lay.left, len(cells))
		head := strings.TrimLeft(strings.Join(cells[:margin], ""), "╭│╰+| ")
		marked := strings.Trim(head, "0123456789 ") != ""
		if n, err := strconv.Atoi(strings.Trim(head, "►> ")); err == nil {
			list = append(list, block{number: n, marked: marked})
		}
		last := &list[len(list)-1]
		last.text = strings.Join(strings.Fields(last.text+" "+lineRE.ReplaceAllString(strings.Join(cells[margin:], ""), " ")), " ")
	}
	return list
}

// checkComplete: every row is shown, counted in a run or counted as left out, in order; what must be shown is.
func checkComplete(t *testing.T, c *Chart, opt Options, text string) {
	next, seen := 1, map[int]bool{}
	for _, b := range blocks(t, c, opt, text) {
		if b.number > 0 {
			if b.number != next {
				t.Errorf("event %d comes where %d should", b.number, next)
			}
			r := &c.Rows[b.number-1]
			if b.marked != (r.Mark != "") {
				t.Errorf("event %d: marked %v", b.number, b.marked)
			}
			n := 1
			if m := timesRE.FindStringSubmatch(b.text); m != nil {
				n, _ = strconv.Atoi(m[1])
			}
			for i := next; i < next+n && i <= len(c.Rows); i++ {
				seen[i] = true
				if i > next && !alike(c.Rows[i-1], *r) {
					t.Errorf("event %d is shown as one like %d", i, next)
				}
			}
			next += n
		}
		for _, m := range leftRE.FindAllStringSubmatch(b.text, -1) {
			n, _ := strconv.Atoi(m[1])
			next += n
		}
	}
	if next != len(c.Rows)+1 {
		t.Errorf("%d events are accounted for, not %d", next-1, len(c.Rows))
	}
	all := opt.Head == 0 && opt.Tail == 0
	for i, r := range c.Rows {
		if must := all || r.outstanding() || i < opt.Head || i >= len(c.Rows)-opt.Tail; must && !seen[i+1] {
			t.Errorf("event %d is not shown", i+1)
		}
	}
}

// Text never moves or hides a life line, but where a line goes across all of them on purpose.
func TestAlignment(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 2))
		c, opt := randomChart(rng), Options{Width: 30 + rng.IntN(120)}
		c.Cycle = 0
		for i := range c.Rows {
			c.Rows[i].Mote = max(c.Rows[i].Mote, 0)
		}
		if len(c.Rows) == 0 {
			continue
		}
		lay, err := c.clean(false).layout(opt)
		if err != nil {
			t.Fatal(err)
		}
		strokes := []string{"│", "┼", "├", "┤", "✕"}
		for _, s := range unicodeStrokes.events {
			strokes = append(strokes, s)
		}
		text := write(t, c, opt)
		for line := range strings.Lines(text) {
			cells := cellsOf(strings.TrimSuffix(line, "\n"))
			first := lay.lanes[0].x
			if len(cells) <= first || !slices.Contains(strokes, cells[first]) {
				continue // the names of columns, and the legend
			}
			if strings.Contains(line, "◄─ ") || strings.Contains(line, "✕─ ") {
				continue // a title on an arrow
			}
			for _, lane := range lay.lanes {
				if len(cells) <= lane.x || !slices.Contains(strokes, cells[lane.x]) {
					t.Fatalf("seed %d: no life line in cell %d of %q:\n%s", seed, lane.x, line, text)
				}
			}
		}
	}
}
