package behavior

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"motehound/observe/calltree"
)

// script makes a run of a text: each letter is an instance of the tree that it names. Those in parentheses are within the
// instance before them.
func script(b *calltree.Book, mote int, trees map[rune]*calltree.Node, vectors map[rune]uint16, text string) []calltree.Instance {
	var run []calltree.Instance
	numbers := map[uint16]uint32{}
	clock, holder := uint64(0), -1
	for _, c := range text {
		switch c {
		case ' ':
			continue
		case '(':
			holder = len(run) - 1
			continue
		case ')':
			run[holder].End = clock + 5
			holder = -1
			continue
		}
		clock += 10
		v := vectors[c]
		numbers[v]++
		x := calltree.Instance{Mote: mote, Vector: v, Number: numbers[v], Serial: uint64(len(run)), Start: clock, End: clock + 5, Complete: true, Tree: trees[c]}
		if holder >= 0 {
			run[holder].Within = append(run[holder].Within, x.Serial)
			x.Within = []uint64{run[holder].Serial}
		}
		run = append(run, x)
	}
	return run
}

// stage is the paper's examples: a byte, a packet received, a packet sent; a reading, a full buffer; a timer.
func stage(t *testing.T, b *calltree.Book) (trees map[rune]*calltree.Node, vectors map[rune]uint16) {
	return map[rune]*calltree.Node{
			'a': tree(t, b, "int: SPI_STC\n  CC1000.dataReady @ CC1000P.nc:40"),
			'b': tree(t, b, "int: SPI_STC\n  CC1000.dataReady @ CC1000P.nc:40\n  post: received\ntask: received\n  Receive.receive @ Relay.nc:20\n    AMSend.send @ Relay.nc:60"),
			'c': tree(t, b, "int: SPI_STC\n  CC1000.dataReady @ CC1000P.nc:40\n  post: sent\ntask: sent\n  AMSend.sendDone @ Relay.nc:80"),
			'r': tree(t, b, "int: ADC\n  Read.readDone @ Osc.nc:3"),
			's': tree(t, b, "int: ADC\n  Read.readDone @ Osc.nc:3\n    post: sendDataPacket\ntask: sendDataPacket\n  AMSend.send @ Osc.nc:30"),
			't': tree(t, b, "int: TIMER0_COMP\n  Timer.fired @ Osc.nc:50"),
		}, map[rune]uint16{
			'a': 18, 'b': 18, 'c': 18, 'r': 22, 's': 22, 't': 16,
		}
}

func TestCaseStudy1(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	trees, vectors := stage(t, b)
	f, mined := mineRuns(t, b, Plan{Depth: 2 * 2}, nil, script(b, 1, trees, vectors, "aaaabaaac aabaac aaabaaaaac"))
	if len(mined) != 1 || len(mined[0].Flows) != 1 || f.Vectors[0].Flows[0].Models != "A18 A18 B18 A18 A18 C18" || mined[0].Flows[0].Share != 1 {
		t.Fatalf("%s", f.Bytes())
	}
	list := verifyRuns(t, b, f, script(b, 1, trees, vectors, "aaaabaaac aabaac aaabaabaac aabaac aabaabaac"))
	if len(list) != 1 {
		t.Fatalf("%d violations", len(list))
	}
	v := list[0]
	if v.Kind != JobflowViolation || v.Sequence != "A18 A18 B18 A18 A18 B18 A18 A18 C18" || v.Model != "B18" || v.Expected != "C18" ||
		v.Odd != 5 || v.Count != 2 || v.Instance != 22 || v.Start != 220 {
		t.Errorf("%+v", *v)
	}
	if w := v.Window; w == nil || *w != (Span{16, 160, 25, 250}) {
		t.Errorf("window %+v", v.Window)
	}
	if !slices.ContainsFunc(v.Functions, func(p PathFunction) bool { return p.Function == "Receive.receive" && p.Line == 20 && p.Layer == 2 }) {
		t.Errorf("functions %+v", v.Functions)
	}
}

func TestCaseStudy2(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	trees, vectors := stage(t, b)
	f, _ := mineRuns(t, b, Plan{Depth: 2 * 2}, []uint16{22}, script(b, 0, trees, vectors, "tr tr ts aaac tr tr ts aaaac tr tr ts aac"))
	flow := f.Vectors[2].Flows[0]
	if flow.Models != "A22 A22 B22" || len(flow.Interleaved) != 1 || flow.Interleaved[0].Model != "A16" {
		t.Fatalf("%s", f.Bytes())
	}
	if list := verifyRuns(t, b, f, script(b, 2, trees, vectors, "tr ts aaaaaaac tr tr ts aaaa")); len(list) != 0 {
		t.Fatalf("%+v", *list[0])
	}
	// Between two readings, and while the last one's task runs.
	list := verifyRuns(t, b, f, script(b, 2, trees, vectors, "tr tr ts aaaa tr aac tr ts(a) aaac tr tr ts"))
	if len(list) != 2 {
		t.Fatalf("%d violations", len(list))
	}
	if v := list[0]; v.Kind != InterleavingViolation || v.Vector != 22 || v.Model != "A18" || v.Flow != "A22 A22 B22" || !v.Inside && v.Instance != 5 {
		t.Errorf("%+v", *v)
	}
	if list[1].Model != "B18" { // the packet sent, also between
		t.Errorf("%+v", *list[1])
	}
}

// TestBackgroundInterleavesNobody, neither when it is mined nor later.
func TestBackgroundInterleavesNobody(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	trees, vectors := stage(t, b)
	plan := Plan{Depth: 2 * 2, Background: []uint16{16}}
	f, _ := mineRuns(t, b, plan, nil, script(b, 0, trees, vectors, "rtr s rrs aac aac"))
	for _, v := range f.Vectors {
		for _, flow := range v.Flows {
			if len(flow.Interleaved) > 0 || v.Vector == 16 {
				t.Fatalf("%s", f.Bytes())
			}
		}
	}
	if list := verifyRuns(t, b, f, script(b, 0, trees, vectors, "rrts rr(t)s aatc")); len(list) > 0 {
		t.Errorf("%+v", *list[0])
	}
}

// TestCaseStudy3 has TYMO's mote 0, for which every packet is its own.
func TestCaseStudy3(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	good := "int: TIMER0_COMP\n  send @ Fwd.nc:5\n    selectRoute @ Fwd.nc:50\n      isForMe @ Fwd.nc:90\n        address @ Fwd.nc:99\n      getRoute @ M.nc:7\n    startOneShot @ T.nc:1"
	bad := "int: TIMER0_COMP\n  send @ Fwd.nc:5\n    selectRoute @ Fwd.nc:50\n      isForMe @ Fwd.nc:90\n        address @ Fwd.nc:99\n      type @ P.nc:3"
	trees := map[rune]*calltree.Node{'g': tree(t, b, good), 'b': tree(t, b, bad)}
	vectors := map[rune]uint16{'g': 16, 'b': 16}
	f, _ := mineRuns(t, b, Plan{Depth: 2 * 5}, nil, script(b, 3, trees, vectors, "gggggg"))
	if f.Vectors[0].Flows[0].Models != "A16" {
		t.Fatalf("%s", f.Bytes())
	}
	list := verifyRuns(t, b, f, script(b, 1, trees, vectors, "ggg"), script(b, 2, trees, vectors, "gggg"), script(b, 0, trees, vectors, "bbbb"))
	if len(list) != 1 {
		t.Fatalf("%d violations", len(list))
	}
	v := list[0]
	if v.Kind != ProcedureViolation || v.Mote != 0 || v.Count != 4 || !slices.Equal(v.Motes, []int{0}) || v.Nearest != "A16" || v.Model != "B16" {
		t.Errorf("%+v", *v)
	}
	if l := v.Leaves; l == nil || l.In.Function != "selectRoute" || l.After.Function != "address" || l.Expected.Function != "getRoute" || l.Got.Function != "type" {
		t.Errorf("leaves %+v", l)
	}
}

// TestInterleavingsAreAsDefined makes runs of whole flows, so that their occurrences are known, and finds M(J) by looking at
// every instance between the first and the last of an occurrence.
func TestInterleavingsAreAsDefined(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(18, 19))
	for range 300 {
		b := calltree.NewBook()
		trees, vectors := stage(t, b)
		inside, between := map[string]bool{}, map[string]bool{}
		model := map[rune]string{'a': "A18", 'b': "B18", 'c': "C18", 't': "A16"}
		var text strings.Builder
		text.WriteString("tabc ") // so that names are as above
		others := []rune("tabc")
		some := func(set map[string]bool) {
			for range r.IntN(3) * r.IntN(2) {
				c := others[r.IntN(4)]
				if r.IntN(4) > 0 {
					c = 't'
				}
				text.WriteRune(c)
				if set != nil {
					set[model[c]] = true
				}
			}
		}
		for range 2 + r.IntN(10) {
			for i, m := range "rrs" {
				if i > 0 {
					some(between)
				}
				text.WriteRune(m)
				if r.IntN(3) == 0 {
					text.WriteRune('(')
					before := text.Len()
					some(inside)
					if i < 2 && text.Len() > before { // what is within one and before the next is both
						for _, c := range text.String()[before:] {
							between[model[c]] = true
						}
					}
					text.WriteRune(')')
				}
			}
			some(nil)
		}
		_, mined := mineRuns(t, b, Plan{Depth: 2 * 2}, []uint16{22}, script(b, 0, trees, vectors, text.String()))
		flows := mined[len(mined)-1].Flows
		if len(flows) != 1 {
			t.Fatalf("%s: %d flows", text.String(), len(flows))
		}
		seenInside, seenBetween := 0, 0
		for _, o := range flows[0].Others {
			if o.Inside != inside[o.Model.Name] || o.Between != between[o.Model.Name] {
				t.Fatalf("%s: %s is %v inside, %v between", text.String(), o.Model.Name, o.Inside, o.Between)
			}
			if o.Inside {
				seenInside++
			}
			if o.Between {
				seenBetween++
			}
		}
		if seenInside != len(inside) || seenBetween != len(between) {
			t.Fatalf("%s: %+v, want inside %v, between %v", text.String(), flows[0].Others, inside, between)
		}
	}
}
