package medium

import (
	"strings"
	"testing"
)

func TestTopologies(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		links int
	}{
		{"line", 1, 0}, {"line", 5, 8}, {"full", 4, 12}, {"grid", 16, 48}, {"grid", 5, 10},
	} {
		links, err := Named(c.name, c.n, DefaultGain, 0.25, 1)
		if err != nil || len(links) != c.links {
			t.Errorf("%s of %d: %d links (%v), want %d", c.name, c.n, len(links), err, c.links)
		}
		if _, err := New(c.n, links); err != nil {
			t.Errorf("%s of %d: %v", c.name, c.n, err)
		}
		if !connected(c.n, links) {
			t.Errorf("%s of %d falls apart", c.name, c.n)
		}
	}
	a, err := Named("disk", 20, DefaultGain, 0, 7)
	if err != nil || !connected(20, a) {
		t.Fatalf("disk of 20: %v", err)
	}
	b, _ := Named("disk", 20, DefaultGain, 0, 7)
	c, _ := Named("disk", 20, DefaultGain, 0, 8)
	if len(a) != len(b) || len(a) == len(c) && a[0] == c[0] {
		t.Error("a disk is not a function of its seed")
	}
	if _, err := Named("ring", 3, 0, 0, 0); err == nil || !strings.Contains(err.Error(), "line, grid") {
		t.Errorf("unknown topology: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for want, links := range map[string][]Link{
		"the motes are 0 to 1": {{From: 0, To: 2}},
		"linked to itself":     {{From: 1, To: 1}},
		"between 0 and 1":      {{From: 0, To: 1, Loss: 1.5}},
		"from -300 to 0":       {{From: 0, To: 1, GainDB: 3}},
		"linked twice":         {{From: 0, To: 1}, {From: 0, To: 1}},
	} {
		if _, err := New(2, links); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", links, err, want)
		}
	}
}

func TestReadGains(t *testing.T) {
	index := func(id int) (int, bool) { return id - 1, id >= 1 && id <= 3 }
	links, err := ReadGains("g", strings.NewReader("# two ways\ngain 1 2 -54.5\n2\t1\t-60\n\nnoise 1 -105 4\ngain 9 1 -70 # far away\n"), index)
	if err != nil || len(links) != 2 || links[0] != (Link{From: 0, To: 1, GainDB: -54.5}) || links[1].From != 1 {
		t.Errorf("got %v, %v", links, err)
	}
	for _, bad := range []string{"gain 1 2", "gain 1 two -5", "gain 1 2 3 4"} {
		if _, err := ReadGains("g", strings.NewReader("\n"+bad+"\n"), index); err == nil || !strings.HasPrefix(err.Error(), "g:2: ") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}
