package solver

import (
	"bufio"
	"fmt"
	"strings"
	"testing"

	"motehound/study/symbolic/expr"
)

// Whatever another program answers is read or refused, and what is read can be written and read again.
func FuzzReadTerm(f *testing.F) {
	for _, s := range []string{"((|a b| #x0f) (c #b101))", "(((", "|", "()", "(_ bv7 8)", "true", "(a (b (c)))x", ")", "#x", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		term, rest, err := readTerm(text)
		if err != nil {
			return
		}
		if !strings.HasSuffix(text, rest) {
			t.Fatalf("rest %q is not the end of %q", rest, text)
		}
		if v, w, err := bitValue(term); err == nil && (w < 1 || w > 64 || w < 64 && v>>w != 0) {
			t.Fatalf("%q is %d of %d bits", text, v, w)
		}
		if strings.Contains(text, "|") {
			return // a word may have anything in it then
		}
		again, rest, err := readTerm(term.String())
		if err != nil || rest != "" || again.String() != term.String() {
			t.Fatalf("%q read as %s, that as %s (%v)", text, term, again, err)
		}
	})
}

// Names and values of any kind come through the printer of names and the parser of values.
func FuzzValues(f *testing.F) {
	f.Add("x", "x", uint64(5), uint64(0), uint8(8), false)
	f.Add("a|b\\", "(", uint64(1)<<63, uint64(7), uint8(64), true)
	f.Add("", "\x00ü", uint64(1), uint64(1), uint8(1), false)
	f.Fuzz(func(t *testing.T, name1, name2 string, v1, v2 uint64, width uint8, decimal bool) {
		w := int(width-1)%64 + 1
		p := expr.NewPool()
		p.NewVar(name1, w, "")
		p.NewVar(name2, w, "")
		vars := []expr.VarIndex{0, 1}
		var asked strings.Builder
		if err := writeGetValue(&asked, p, vars); err != nil {
			t.Fatal(err)
		}
		want := []uint64{v1 << (64 - w) >> (64 - w), v2 << (64 - w) >> (64 - w)}
		answer := "("
		for i, v := range vars {
			answer += fmt.Sprintf("(%s %s)\n", p.SMTName(v), asZ3Prints(want[i], w, decimal))
			if !strings.Contains(asked.String(), p.SMTName(v)) {
				t.Fatalf("%q does not ask for %s", asked.String(), p.SMTName(v))
			}
		}
		text, err := readBalanced(bufio.NewReader(strings.NewReader(answer + ")\nmore\n")))
		if err != nil {
			t.Fatalf("%q: %v", answer, err)
		}
		m, err := parseValues(p, vars, text)
		if err != nil || m.Value(0) != want[0] || m.Value(1) != want[1] {
			t.Fatalf("%q read as %v (%v)", answer, m, err)
		}
		if _, err := parseValues(p, vars[:1], text); err == nil {
			t.Fatal("an answer of two values was taken for one")
		}
	})
}

func asZ3Prints(v uint64, w int, decimal bool) string {
	switch {
	case w == 1:
		return fmt.Sprint(v == 1)
	case decimal:
		return fmt.Sprintf("(_ bv%d %d)", v, w)
	case w%4 == 0:
		return fmt.Sprintf("#x%0*x", w/4, v)
	}
	return fmt.Sprintf("#b%0*b", w, v)
}

func TestParseValuesRefuses(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	p.NewVar("x", 8, "")
	for _, bad := range []string{"", "((x #x1))", "((y #x01))", "((x #x01)", "((x #x01) (x #x02))", "((x 5))", "x", "((x #x01)) y",
		"((x true))", "((x #xzz))", "((x (_ bv256 8)))", "((x (_ bv1 65)))", strings.Repeat("(", 100)} {
		if m, err := parseValues(p, []expr.VarIndex{0}, bad); err == nil {
			t.Errorf("%q read as %v", bad, m)
		}
	}
}
