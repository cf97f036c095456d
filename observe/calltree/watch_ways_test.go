package calltree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"motehound/internal/testkit"
	"motehound/world"
	"motehound/world/medium"
)

// describe writes a tree with all that a node has.
func describe(to *strings.Builder, n *Node) {
	fmt.Fprintf(to, "%v %s %s:%d(", n.Kind, n.Func.Name, n.Site.File, n.Site.Line)
	for _, c := range n.Calls {
		describe(to, c)
	}
	to.WriteByte(')')
}

// The tree of a way that was taken before is the one that following it again would give: also of tasks, of posts, and of what was
// interrupted.
func TestKnownWays(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ app, board string }{{"collect", "mica2"}, {"collect", "micaz"}, {"drop", "mica2"}} {
		k := testkit.Example(t, x.app, x.board)
		var told [2][]string
		ways := 0
		for forget := range told {
			w := testkit.Network(t, k, 3, medium.Full(3, medium.DefaultGain, 0), world.Config{Stagger: 100_000}, 1)
			var h *Watcher
			var err error
			h, err = Watch(w, NewBook(), Options{}, func(i Instance) {
				var s strings.Builder
				describe(&s, i.Tree)
				told[forget] = append(told[forget], fmt.Sprintf("%d %d %d %v %s", i.Mote, i.Serial, i.End, i.Within, &s))
				if forget == 1 {
					h.motes[i.Mote].ways = wayList{}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			w.RunUntil(3 * world.Second)
			h.Close()
			if forget == 0 {
				ways = len(h.motes[0].ways.list)
			}
		}
		if !slices.Equal(told[0], told[1]) {
			at := 0
			for told[0][at] == told[1][at] {
				at++
			}
			t.Errorf("%s on %s: %s\nis, followed again, %s", x.app, x.board, told[0][at], told[1][at])
		}
		t.Logf("%s on %s: %d instances, %d ways of mote 0", x.app, x.board, len(told[0]), ways)
		if ways < 10 || ways > len(told[0])/5 {
			t.Errorf("%s on %s: %d ways of %d instances: the test says nothing", x.app, x.board, ways, len(told[0]))
		}
	}
}

// A firmware that takes more ways than are kept begins anew, and no way is mistaken for another.
func TestManyWays(t *testing.T) {
	t.Parallel()
	var l wayList
	book := NewBook()
	for i := range uint32(20_000) {
		w := way{source: int32(i % 3), middle: i % 5, steps: []step{{pc: i}, {pc: 7, ret: i / 2, sp: uint16(i / 4), post: i%8 == 0}}}
		if n := l.find(&w); n != nil {
			t.Fatalf("%d is %s", i, n.Func.Name)
		}
		w.tree = book.Node(Call, book.Func(fmt.Sprint(i), "", 0), Site{}, nil)
		l.add(w)
		if n := l.find(&w); n != w.tree {
			t.Fatalf("%d is not found", i)
		}
		if l.steps > maxSteps || len(l.list) > maxSteps {
			t.Fatalf("%d ways of %d steps are kept", len(l.list), l.steps)
		}
	}
}
