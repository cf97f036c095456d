package chart

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want, ascii string }{
		{"plain", "plain", "plain"},
		{"two\nlines\tand a tab ", "two lines and a tab", "two lines and a tab"},
		{"\x1b[31mred\x00", "\uFFFD[31mred\uFFFD", "?[31mred?"},
		{"bad \xff byte", "bad \uFFFD byte", "bad ? byte"},
		{"turned \u202eround", "turned round", "turned round"},
		{"cafe\u0301", "cafe\u0301", "cafe"},
		{"heart ❤\ufe0f", "heart ❤", "heart ?"},
		{"無線", "無線", "??"},
	} {
		if got := clean(c.in, false); got != c.want {
			t.Errorf("clean(%q) = %q, not %q", c.in, got, c.want)
		}
		if got := clean(c.in, true); got != c.ascii {
			t.Errorf("clean(%q) to ASCII = %q, not %q", c.in, got, c.ascii)
		}
	}
}

func TestMeasure(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "無線": 4, "e\u0301e": 2, "🙂": 2, "…": 1, "\u0301": 0, "│►": 2, "가": 2,
		"\u1112\u1161\u11ab": 2, "ﾊ": 1} {
		if got := measure(text); got != want {
			t.Errorf("%q takes %d cells, not %d", text, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text        string
		room        int
		want, ascii string
	}{
		{"short", 5, "short", "short"},
		{"updateFromTimer", 10, "update…mer", "updat...er"},
		{"無線で送信する", 10, "無線で…る", "無線...る"},
		{"無線", 3, "無…", "無"},
		{"abc", 1, "a", "a"},
		{"abc", 0, "", ""},
		{"無線", 1, "", ""},
	} {
		if got := unicodeStrokes.cut(c.text, c.room); got != c.want {
			t.Errorf("%q cut to %d: %q, not %q", c.text, c.room, got, c.want)
		}
		if got := asciiStrokes.cut(c.text, c.room); got != c.ascii {
			t.Errorf("%q cut to %d: %q, not %q", c.text, c.room, got, c.ascii)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text       string
		room, most int
		want       string
	}{
		{"frame from mote 1", 17, 0, "frame from mote 1"},
		{"frame from mote 1", 10, 0, "frame from|mote 1"},
		{"frame from mote 1", 9, 2, "frame|from m… 1"},
		{"interrupt TIMER1_COMPA", 8, 0, "interrup|t|TIMER1_C|OMPA"},
		{"interrupt TIMER1_COMPA of mote 2", 8, 3, "interrup|t|TIMER… 2"},
		{"無線で送信する", 5, 0, "無線|で送|信す|る"},
		{"one line only, please", 12, 1, "one line…ase"},
		{"", 12, 0, ""},
	} {
		if got := strings.Join(unicodeStrokes.wrap(c.text, c.room, c.most), "|"); got != c.want {
			t.Errorf("%q in %d lines of %d: %q, not %q", c.text, c.most, c.room, got, c.want)
		}
	}
}

// Every stroke takes one cell, so that lines meet, and those of one set can be told from each other where they must be.
func TestStrokes(t *testing.T) {
	for _, s := range []*strokes{&unicodeStrokes, &asciiStrokes} {
		single := []string{s.life, s.gap, s.dash, s.cross, s.double, s.doubleCross, s.fromLeft, s.fromRight, s.toRight, s.toLeft,
			s.lost, s.loopStart, s.loop, s.loopEnd, s.point, s.mark}
		onLife := []string{s.life, s.gap, s.cross, s.doubleCross, s.lost}
		for _, class := range classes {
			single, onLife = append(single, s.events[class]), append(onLife, s.events[class])
		}
		for _, one := range single {
			if len(glyphs(one)) != 1 || measure(one) != 1 {
				t.Errorf("%q is not one cell", one)
			}
			if s == &asciiStrokes && one[0] > unicode.MaxASCII {
				t.Errorf("%q is not ASCII", one)
			}
		}
		slices.Sort(onLife)
		if n := len(onLife); len(slices.Compact(onLife)) != n {
			t.Errorf("two of %q are equal", onLife)
		}
	}
}

func TestErrors(t *testing.T) {
	ok := row(0, classTask, "next task")
	for _, c := range []struct {
		chart Chart
		opt   Options
		want  string
	}{
		{Chart{}, Options{}, "a chart needs at least one column: name the motes"},
		{Chart{Columns: motes(1)}, Options{Width: -1}, "a chart cannot be -1 wide: give a positive width, or 0 for 120"},
		{Chart{Columns: motes(1)}, Options{Width: 15}, "15 columns are too narrow for this chart: it needs at least 16"},
		{Chart{Columns: motes(1)}, Options{Tail: -2}, "a chart cannot show 0 events at its start and -2 at its end: give 0 for all"},
		{Chart{Columns: motes(1), Rows: []Row{ok}, Cycle: 2}, Options{}, "2 rows cannot repeat in a chart of 1: give how many at its end do, or 0"},
		{Chart{Columns: motes(1), Rows: number([]Row{ok, row(1, classTask, "")})}, Options{},
			"row 2 of the chart (event 2): no column 1: there are 1, from 0, and -1 for all motes"},
		{Chart{Columns: motes(1), Rows: []Row{row(-2, classTask, "")}}, Options{},
			"row 1 of the chart (event 0): no column -2: there are 1, from 0, and -1 for all motes"},
		{Chart{Columns: motes(1), Rows: []Row{row(0, "Task", "")}}, Options{},
			`row 1 of the chart (event 0): "Task" is no class of events: give one of interrupt, task, frame, fault, input, heal`},
		{Chart{Columns: motes(2), Rows: []Row{frame(2, 0, "")}}, Options{},
			"row 1 of the chart (event 0): a frame from column 2: there are 2, from 0, and -1 for none of them"},
		{Chart{Columns: motes(2), Rows: []Row{lost(ok)}}, Options{},
			`row 1 of the chart (event 0): only a frame can be lost, not the task "next task, which is lost"`},
	} {
		var b strings.Builder
		if err := c.chart.Write(&b, c.opt); err == nil || err.Error() != c.want {
			t.Errorf("error %v, not %s", err, c.want)
		}
		if b.Len() > 0 {
			t.Errorf("%s: but wrote %q", c.want, b.String())
		}
	}
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteError(t *testing.T) {
	if err := orphan().Write(broken{}, Options{}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

// A chart is not changed by being written.
func TestUnchanged(t *testing.T) {
	c, want := names(), names()
	write(t, c, Options{ASCII: true})
	for i := range c.Rows {
		if c.Rows[i].Title != want.Rows[i].Title || !slices.Equal(c.Rows[i].Notes, want.Rows[i].Notes) {
			t.Errorf("row %d became %+v", i, c.Rows[i])
		}
	}
}

// FuzzText: whatever a firmware or a scenario calls things, a chart stays in its width and steers no terminal.
func FuzzText(f *testing.F) {
	f.Add("interrupt TIMER0_COMP", "posts job", "count: 1 -> 2", "violation", uint8(40))
	f.Add("\x1b[31m\u202e\u0301無", "\u1161\ufe0f\u200d", ": ", "…", uint8(0))
	f.Fuzz(func(t *testing.T, title, note, change, mark string, wide uint8) {
		r := Row{Mote: 0, Class: classFrame, From: 2, Title: title, Notes: []string{note, note}, Changed: []string{change}, Mark: mark}
		other := row(allMotes, classHeal, note, change)
		c := &Chart{Columns: []string{title, "b", mark}, Rows: number([]Row{r, other, row(1, classFault, change, title)})}
		opt := Options{Width: 16 + int(wide)}
		for line := range strings.Lines(write(t, c, opt)) {
			line = strings.TrimSuffix(line, "\n")
			if measure(line) > opt.Width || strings.HasSuffix(line, " ") {
				t.Errorf("%q takes %d cells of %d", line, measure(line), opt.Width)
			}
			for _, r := range line {
				if !unicode.IsPrint(r) && !isMark(r) {
					t.Errorf("%q has %U", line, r)
				}
			}
		}
	})
}

// What an event does over and over is said once, with how often; what it does a few times stays where it happened.
func TestFold(t *testing.T) {
	for _, c := range []struct{ give, want string }{
		{"a a b a", "a x 2,b,a"},
		{"p a b a b a b a b q", "p,a x 4,b x 4,q"},
		{"a a a a", "a x 4"},
		{"", ""},
	} {
		if got := strings.Join(fold(strings.Fields(c.give)), ","); got != c.want {
			t.Errorf("%q: %q, want %q", c.give, got, c.want)
		}
	}
}
