package calltree_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"motehound/observe/calltree"
	"motehound/world"
)

// Who uses the packets of pollute, in which order: readings go into a packet, and the task that hands it over reads them. Every touch
// comes before its instance, and is of one that executed.
func TestTouchesOfPollute(t *testing.T) {
	t.Parallel()
	w := network(t, "pollute", "micaz")
	var order []string
	open := map[uint64]bool{}
	touches := 0
	h, err := calltree.Watch(w, calltree.NewBook(), calltree.Options{Motes: []int{1}, ByStart: true, Touched: func(x calltree.Touch) {
		if x.Mote != 1 || strings.HasPrefix(x.Variable, "PolluteC__packets") != (x.Of == "PolluteC__packets[]") {
			t.Errorf("%+v", x)
		}
		if !x.Main {
			touches++
			open[x.Serial] = true
		}
		if x.Of == "PolluteC__packets[]" {
			order = append(order, fmt.Sprint(x.In, x.Write))
		}
	}}, func(x calltree.Instance) { delete(open, x.Serial) })
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(2 * world.Second)
	h.Close()
	if !h.Data() || touches < 100 {
		t.Errorf("%d touches", touches)
	}
	if len(open) > 0 {
		t.Errorf("%d touches came after their instance, or of none", len(open))
	}
	order = slices.Compact(order)
	if text := strings.Join(order, " "); !strings.Contains(text, "ADCtrue PolluteC.prepareAndSendPacketfalse") {
		t.Errorf("the packets were used by %s", text)
	}
}

// A firmware whose application has no variables that hold data is followed all the same.
func TestNoData(t *testing.T) {
	t.Parallel()
	w := network(t, "blink", "micaz")
	n := 0
	h, err := calltree.Watch(w, calltree.NewBook(), calltree.Options{Touched: func(x calltree.Touch) { t.Errorf("%+v", x) }}, func(calltree.Instance) { n++ })
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(world.Second)
	if h.Close(); h.Data() || n == 0 {
		t.Errorf("there is data: %v; %d instances", h.Data(), n)
	}
}
