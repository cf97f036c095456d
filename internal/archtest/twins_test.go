package archtest

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// twinBudget is how many pairs of twins there are. It only goes down: write a thing once, then lower the number.
const twinBudget = 26

// TestTwins counts the twins of this repository.
func TestTwins(t *testing.T) {
	packages, err := load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	twins := findTwins(packages)
	switch {
	case len(twins) > twinBudget:
		for _, w := range twins {
			t.Log(w)
		}
		t.Errorf("%d pairs of functions have %d tokens in a row in common, names aside; %d were there. Write the new one once", len(twins), twinTokens, twinBudget)
	case len(twins) < twinBudget:
		t.Errorf("%d pairs of twins are left, of %d: lower the budget", len(twins), twinBudget)
	}
}

// TestTwinsPlanted: names and literals may differ, what is done to which may not; tests and short functions do not count.
func TestTwinsPlanted(t *testing.T) {
	body := func(a, b, c string) string {
		return strings.Repeat(strings.NewReplacer("a", a, "b", b, "c", c).Replace("a = c*a + b\nif b > 7 { b -= a }\n"), 4)
	}
	for _, test := range []struct {
		purpose, file, first, second string
		want                         int
	}{
		{"other names", "one.go", body("x", "y", "z"), body("p", "q", "r"), 1},
		{"other literals", "one.go", body("x", "y", "1"), body("x", "y", "2"), 1},
		{"one name for two", "one.go", body("x", "y", "z"), body("x", "y", "x"), 0},
		{"short", "one.go", "x = y*x + z", "p = q*p + r", 0},
		{"in a test", "one_test.go", body("x", "y", "z"), body("p", "q", "r"), 0},
	} {
		packages, err := load(fstest.MapFS{
			"go.mod":             {Data: []byte("module planted\n")},
			"mote/" + test.file:  {Data: []byte("package mote\n\nfunc first() {\n" + test.first + "\n}\n")},
			"world/" + test.file: {Data: []byte("package world\n\nfunc second() {\n" + test.second + "\n}\n")},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := findTwins(packages); len(got) != test.want {
			t.Errorf("%s: %v, want %d", test.purpose, got, test.want)
		}
	}
}
