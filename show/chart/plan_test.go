package chart

import (
	"fmt"
	"strings"
	"testing"
)

// A plan has what the text has: every row is shown, part of a run that is shown, or counted where rows are left out.
func TestPlan(t *testing.T) {
	c := &Chart{Columns: []string{"mote 0", "mote 1", "mote 2"}, Cycle: 2}
	add := func(r Row) {
		r.Number = len(c.Rows) + 1
		c.Rows = append(c.Rows, r)
	}
	for i := range 30 {
		add(Row{Mote: i % 2, From: -1, Class: classTask, Title: fmt.Sprint("task ", i/4)})
	}
	add(Row{Mote: 1, From: 0, Class: classFrame, Title: "frame\u202e", Lost: true, Notes: []string{"posts", "posts"}})
	add(Row{Mote: 1, From: -1, Class: classInterrupt, Title: "end", Mark: "violation", Within: true})
	p, err := c.Plan(Options{Head: 3, Tail: 2}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(p.Lanes, ",") != "mote 0,mote 1" || fmt.Sprint(p.Of) != "[0 1 -1]" || p.Shared {
		t.Errorf("lanes %q of %v", p.Lanes, p.Of)
	}
	rows, left, cycles := 0, 0, 0
	for _, it := range p.Items {
		switch {
		case it.Cycle:
			cycles++
		case it.Left > 0:
			hidden := 0
			for _, h := range it.Hidden {
				hidden += h.Times
			}
			if left += it.Left; hidden != it.Left {
				t.Errorf("%d of %d left out can be shown", hidden, it.Left)
			}
		default:
			rows += it.Times
		}
	}
	if rows+left != len(c.Rows) || left == 0 || cycles != 1 {
		t.Errorf("%d rows and %d left out of %d, %d cycles", rows, left, len(c.Rows), cycles)
	}
	frame, end := p.Items[len(p.Items)-2].Row, p.Items[len(p.Items)-1].Row
	if frame.Title != "frame" || fmt.Sprint(frame.Notes) != "[posts x 2]" || !frame.Lost || !end.Within || end.Mark != "violation" {
		t.Errorf("the last rows are %+v and %+v", frame, end)
	}
	if p, err = c.Plan(Options{}, 1); err != nil || !p.Shared || strings.Join(p.Lanes, ",") != restName || fmt.Sprint(p.Of) != "[0 0 0]" {
		t.Errorf("with one lane: %+v, %v", p, err)
	}
	if _, err := (&Chart{}).Plan(Options{}, 1); err == nil {
		t.Error("a chart without columns has a plan")
	}
}
