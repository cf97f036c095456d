package scenario

import (
	"fmt"
	"strings"
	"testing"
)

// TestChain follows parents: to a root, into nothing, to a mote that is not alive, and around.
func TestChain(t *testing.T) {
	for _, c := range []struct {
		parents string // of motes 0, 1, ...
		dead    int
		want    string // of the chain of mote 0: its motes, where it leads, and whether it loops
	}{
		{"0", -1, "0 > 0"},
		{"1 2 2", -1, "0 1 2 > 2"},
		{"1 65535", -1, "0 1 > 65535"},
		{"7", -1, "0 > 7"},
		{"1 2 0", -1, "0 1 2 > 0 loop"},
		{"1 2 1", -1, "0 1 2 > 1 loop"},
		{"1 2 2", 2, "0 1 > 2"},
		{"1 2 2", 1, "0 > 1"},
	} {
		for _, parent := range []string{`"u16"`, `lambda m: m.var("u16")`} {
			v := newFake(t, 3)
			for i, p := range strings.Fields(c.parents) {
				var id int64
				fmt.Sscan(p, &id)
				v.set(t, i, "u16", id)
			}
			v.dead[c.dead] = true
			want := c.want
			loop := strings.HasSuffix(want, " loop")
			nodes, next, _ := strings.Cut(strings.TrimSuffix(want, " loop"), " > ")
			list := "[" + strings.ReplaceAll(nodes, " ", ", ") + "]"
			last := nodes[strings.LastIndex(nodes, " ")+1:]
			p := property(t, fmt.Sprintf(`
def check(net):
    way = net[0].chain(%s)
    return ([n.id for n in way] == %s and [n.id for n in way.nodes] == %s and len(way) == len(way.nodes) and way[0] == net[0] and
            way.last.id == %s and way.next == %s and way.loop == %v)
always("p", check)`, parent, list, list, last, next, map[bool]string{true: "True", false: "False"}[loop]))
			if verdict, _, err := evaluate(p, v); err != nil || !verdict.Holds {
				t.Errorf("%s by %s: not %s (%v)", c.parents, parent, want, err)
			}
		}
	}
}

// TestChainReads wants that a chain depends on the parents that it follows, and on who is alive.
func TestChainReads(t *testing.T) {
	v := newFake(t, 4)
	for i, id := range []int64{1, 2, 2, 0} {
		v.set(t, i, "u16", id)
	}
	ref, err := v.im.Lookup("u16")
	if err != nil {
		t.Fatal(err)
	}
	_, got, err := evaluate(property(t, `always("p", lambda net: net[0].chain("u16").last.id == 2)`), v)
	want := ReadSet{Facts: []Fact{{AspectAlive, 1, 0, 1}, {AspectAlive, 2, 0, 1}}}
	for i := range 3 {
		want.Memory = append(want.Memory, Read{i, ref.Addr, ref.Addr + 2})
	}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v (%v)", got, want, err)
	}
}

// TestRaw has variables as bytes, and by patterns of their names.
func TestRaw(t *testing.T) {
	v := newFake(t, 2)
	v.set(t, 1, "first.corner[1].y", 7)
	for _, expr := range []string{
		`net[0].bytes("u16") == b"\x31\xd4"`,
		`net[0].bytes("row") == net[1].bytes("row") and len(net[0].bytes("row")) == 5`,
		`net[0].bytes("first") != net[1].bytes("first") and net[0].bytes("second") == net[1].bytes("second")`,
		`net[0].bytes("in_flash") == b"\x11\x22\x33"`,
		`net[0].vars("SerialDispatcherP__*__receiveState") == ("SerialDispatcherP__0__receiveState",)`,
		`net[0].vars("u?") == ("u8",) and net[0].vars("u??") == ("u16", "u32", "u64")`,
		`net[0].vars("u??") == net[0].vars("u??") and net[0].vars("nothing*") == ()`,
	} {
		p := property(t, fmt.Sprintf("always('p', lambda net: %s)", expr))
		if verdict, _, err := evaluate(p, v); err != nil || !verdict.Holds {
			t.Errorf("%s: %+v %v", expr, verdict, err)
		}
	}
	for expr, want := range map[string]string{
		`net[0].vars("[")`:              `"[" is not a pattern: use a name (* and ? stand for any characters)`,
		`net[0].vars(3)`:                "vars: got int, want a string",
		`net[0].bytes("flags.mid")`:     "bytes: flags.mid has no bytes of its own",
		`net[0].bytes("nothing")`:       "no variable nothing in",
		`net[0].chain("first").loop`:    "chain: node 0 leads to",
		`net[0].chain(3).loop`:          "chain: parent is a int: give the name of the variable",
		`net[0].chain("nothing").loop`:  "no variable nothing in",
		`net[0].chain(lambda m: m.zzz)`: "node has no .zzz field or method",
	} {
		p := property(t, fmt.Sprintf("always('p', lambda net: %s)", expr))
		if _, _, err := evaluate(p, v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", expr, err, want)
		}
	}
}
