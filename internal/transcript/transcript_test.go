package transcript

import (
	"slices"
	"strings"
	"testing"
)

const page = "# A page\n" +
	"<!-- slow ten: cp a b && motehound run --json a -->\n" +
	"There are 9<!-- ten.list.# --> things, and Two<!-- ten.b.0.c --> more.\n" +
	"\n" +
	"```\n$ motehound run a\nold 1\n...\nold 2\n$ go run ./cmd/motehound demo\n```\n" +
	"<!-- not run (needs a mote): /dev -->\n" +
	"```\nmotehound trace pull /dev/tty # one\nmotehound trace pull x\n```\n" +
	"```python net.star\nnetwork()\n```\n" +
	"```c\nint x;\n```\n" +
	"<!-- table: go run ./x -->\n| a |\n|---|\n| 1 |\n\n| b |\n"

func TestParse(t *testing.T) {
	d, err := Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range d.Steps {
		got = append(got, strings.Join([]string{s.Words(), s.Why, s.Name, strings.Join(s.Shown, "|")}, ";"))
	}
	want := []string{
		"cp a b && motehound run --json a;;ten;", "motehound run a;;;old 1|...|old 2", "motehound demo;;;",
		"motehound trace pull /dev/tty # one;needs a mote;;", "motehound trace pull x;;;", ";;net.star;network()",
		"go run ./x;;;| a |||---||| 1 |",
	}
	if !slices.Equal(got, want) {
		t.Errorf("steps\n%q, want\n%q", got, want)
	}
	if !d.Steps[0].Slow || d.Steps[1].Slow {
		t.Errorf("slow: %v, %v", d.Steps[0].Slow, d.Steps[1].Slow)
	}
	if len(d.Numbers) != 2 || d.Numbers[0].Text != "9" || d.Numbers[0].Path != "list.#" || d.Numbers[1].Text != "Two" || d.Numbers[1].Path != "b.0.c" {
		t.Errorf("numbers %+v", d.Numbers)
	}
	if same := d.Text(make([][]string, len(d.Steps)), []string{"9", "Two"}); same != page {
		t.Errorf("nothing is changed, and it becomes\n%s", same)
	}
	outputs := [][]string{nil, {"new 1", "..."}, {"new 2"}, nil, nil, nil, {"| a |", "|---|", "| 2 |", "| 3 |"}}
	other := strings.NewReplacer("9<", "10<", "Two<", "Three<", "old 1\n...\nold 2\n", "new 1\n...\n", "demo\n", "demo\nnew 2\n", "| 1 |\n", "| 2 |\n| 3 |\n").Replace(page)
	if changed := d.Text(outputs, []string{"10", "Three"}); changed != other {
		t.Errorf("got\n%s\nwant\n%s", changed, other)
	}
}

// What is neither run nor marked is an error, and so is a mark that does nothing.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"```\n1. hand-written\n```\n":                                           "line 1: a block without a command",
		"```\n$ motehound run\n":                                                "line 1: the block does not end",
		"```\nfirst\n$ motehound run\n```\n":                                    "line 2: a transcript begins",
		"```\n$ git log\n```\n":                                                 "line 2: git log is not motehound",
		"```sh\nmake ci\n```\n":                                                 "line 2: make ci is not",
		"```\nmotehound run a\nmake\n```\n":                                     "line 3: make is not",
		"<!-- not run (why): x -->\n```\nmotehound run a\n```\n":                "line 1: the block has no such command",
		"<!-- not run (why) -->\n```python\nx = 1\n```\n":                       "line 1: the block has no such command",
		"<!-- not run (why) -->\ntext\n":                                        "line 1: no block follows",
		"<!-- not run (why) -->\n":                                              "line 1: no block follows",
		"<!-- table: go run ./x -->\n\n| a |\n":                                 "line 1: no table follows",
		"<!-- notrun (why) -->\n":                                               "line 1: a comment that means nothing",
		"text <!-- begins\nhere -->\n":                                          "line 1: a comment that means nothing",
		"6<!-- x.a -->\n":                                                       "line 1: no command is called x",
		"<!-- x: motehound run -->\n":                                           "line 1: no number is taken from x",
		"<!-- x: motehound run -->\n<!-- x: motehound run -->\n6<!-- x.a -->\n": "line 2: x is the name of another",
	} {
		if _, err := Parse(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct{ name, shown, printed, fresh string }{
		{"the same", "a b|c", "a b|c", "a b|c"},
		{"nothing", "", "", ""},
		{"a number", "a 1|c", "a 2|c", "a 2|c"},
		{"a new line", "a|c", "a|b|c", "a|b|c"},
		{"a line less", "a|b|c", "a|c", "a|c"},
		{"the host's numbers", "1.000 s of virtual time in 0.3 s, 20 times real time", "1.000 s of virtual time in 44 s, 3,000 times real time", "1.000 s of virtual time in 0.3 s, 20 times real time"},
		{"only these", "1.000 s of virtual time in 0.3 s, 20 times real time", "2.000 s of virtual time in 44 s, 3,000 times real time", "2.000 s of virtual time in 44 s, 3,000 times real time"},
		{"a rate", "9 events in 1.0 s (9/s); 3 states", "9 events in 0.5 s (18/s); 3 states", "9 events in 1.0 s (9/s); 3 states"},
		{"shortened", "a|...|d", "a|b|c|d", "a|...|d"},
		{"shortened at the end", "a|...", "a|b|c|d", "a|..."},
		{"shortened twice", "a 1|...|c|  ...|e", "a 1|b|c|d|d|e", "a 1|...|c|  ...|e"},
		{"shortened, beside a change", "a 1|...|d x y", "a 2|b|c|d x z", "a 2|...|d x z"},
		{"nothing is left out any more", "a|...|b", "a|b", "a|b"},
		{"a line beside the rest is no more", "a|b c|...|e", "a|x|y|e", "a|...|e"},
	} {
		split := func(s string) []string {
			if s == "" {
				return nil
			}
			return strings.Split(s, "|")
		}
		same, fresh, changes := Compare(split(c.shown), split(c.printed))
		if got := strings.Join(fresh, "|"); got != c.fresh || same != (got == c.shown) || same != (len(changes) == 0) {
			t.Errorf("%s: %q, same %v, changes %q; want %q", c.name, got, same, changes, c.fresh)
		}
		if again, _, changes := Compare(fresh, split(c.printed)); !again {
			t.Errorf("%s: once more it is not the same: %q", c.name, changes)
		}
	}
}

func TestLines(t *testing.T) {
	if got := Lines("\n\n a  \r\n\nb\n\n"); !slices.Equal(got, []string{" a", "", "b"}) {
		t.Errorf("%q", got)
	}
}

func TestValue(t *testing.T) {
	doc := []byte(`{"a": 12345678901, "b": [{"c": 1.50}, 7], "d": "x"}`)
	for path, want := range map[string]string{"a": "12345678901", "b.0.c/100": "0.015", "b.0.c": "1.50", "b.1": "7", "b.#": "2"} {
		if got, err := Value(doc, path); got != want || err != nil {
			t.Errorf("%s is %q (%v), want %s", path, got, err, want)
		}
	}
	for path, want := range map[string]string{"x": "there is no x, only a, b, d", "b.2": "2 is no place", "d": "d is no number", "a.x": "nothing is inside", "a/0": "cannot be divided"} {
		if _, err := Value(doc, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if _, err := Value([]byte("no"), "a"); err == nil {
		t.Error("what is no JSON has a value")
	}
}

func TestAs(t *testing.T) {
	for _, c := range [][3]string{
		{"497", "498", "498"}, {"1,000", "2000000", "2,000,000"}, {"999", "1000", "1,000"}, {"1000", "1001", "1001"}, {"six", "7", "seven"},
		{"Thirteen", "12", "Twelve"}, {"six", "30", "30"}, {"1.04", "2.0446", "2.04"}, {"12", "1.5", "2"}, {"1.5", "2", "2.0"}, {"1,000", "1499.5", "1,500"},
	} {
		if got := As(c[0], c[1]); got != c[2] {
			t.Errorf("%s, written as %s, is %s, want %s", c[1], c[0], got, c[2])
		}
	}
}
