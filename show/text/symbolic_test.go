package text

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"motehound/job/document"
	"motehound/study/symbolic/plan"
)

// Outcomes that end alike are told together, and none is lost.
func TestSymbolicEnds(t *testing.T) {
	var list []*document.SymbolicOutcome
	for port := range 102 {
		s := &document.SymbolicOutcome{Violates: []string{}, Hash: "1", Inputs: []plan.Input{{Name: "port", Mote: 3, Kind: "var", Hex: "00", Value: uint64(port)}}}
		switch {
		case port == 7:
			s.Violates = []string{"b", "a"}
		case port != 50:
			s.Violates = []string{"reset"}
		}
		list = append(list, s)
	}
	list[50].Hash = ""
	d := &document.Symbolic{Outcomes: list, Ends: document.EndsOf(list)}
	if len(d.Ends) != 3 || !reflect.DeepEqual(d.Ends[0], &document.End{Violates: []string{"a", "b"}, RunAgain: true, Count: 1, Outcomes: []int{8}}) ||
		!reflect.DeepEqual(d.Ends[1], &document.End{Violates: []string{}, Count: 1, Outcomes: []int{51}}) || d.Ends[2].Count != 100 || len(d.Ends[2].Outcomes) != 100 {
		t.Errorf("%+v", d.Ends)
	}
	var text strings.Builder
	printEnds(&text, d)
	want := `102 outcomes:
  port = 7, mote 3: violates b, a
  port = 50, mote 3: not run again
  100 of 102 values of port: violates reset
    for example: port = 0, mote 3
  (--json or --out DIR has each of them)
`
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
	list[0].Failures = []string{"a frame is lost"}
	if got := differ(d); got != "outcomes" {
		t.Errorf("they differ in %s", got)
	}
	for n := range 30 {
		list[n].Violates = []string{fmt.Sprint(n)}
	}
	d.Ends = document.EndsOf(list)
	text.Reset()
	if printEnds(&text, d); !strings.Contains(text.String(), "... and 12 other ends") {
		t.Error(text.String())
	}
}
