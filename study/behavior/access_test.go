package behavior

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"motehound/observe/calltree"
)

// used is a run of a text with what its instances do to packets: a reading (r) and the last one of a packet (s) write their reading
// into the packet, s hands it over, and the radio (a) reads it. In a firmware with two packets the next readings go into the other one.
func used(b *calltree.Book, trees map[rune]*calltree.Node, vectors map[rune]uint16, text string, packets int) (run []calltree.Instance, touches map[uint64][]calltree.Touch) {
	run = script(b, 1, trees, vectors, text)
	touches = map[uint64][]calltree.Touch{}
	fill, send := 0, 0
	touch := func(x *calltree.Instance, packet int, in string, write bool) {
		touches[x.Serial] = append(touches[x.Serial], calltree.Touch{Mote: x.Mote, Serial: x.Serial, Variable: fmt.Sprintf("packets[%d]", packet), Of: "packets[]", In: in, Write: write})
	}
	for i := range run {
		x := &run[i]
		switch {
		case x.Vector == 18:
			touch(x, send, "SPI_STC", false)
		case x.Tree == trees['r']:
			touch(x, fill, "ADC", true)
		case x.Tree == trees['s']:
			touch(x, fill, "ADC", true)
			touch(x, fill, "sendDataPacket", true)
			send, fill = fill, (fill+1)%packets
		}
	}
	return run, touches
}

func TestDataOrders(t *testing.T) {
	t.Parallel()
	const quiet, late, busy = "rrs aaa rrs aaa rrs aaa", "rrs a r aa rs aaa", "rrs ar aa rs ra a rs"
	for packets, want := range map[int]int{1: 1, 2: 0} {
		b := calltree.NewBook()
		trees, vectors := stage(t, b)
		m := NewMiner(b, Plan{Depth: 2 * 2}, []uint16{22})
		m.WatchData()
		run, touches := used(b, trees, vectors, quiet, packets)
		for _, x := range run {
			for _, y := range touches[x.Serial] {
				m.Touch(y)
			}
			m.Take(x)
		}
		f, err := ReadFile(m.FileOf(m.Finish(), someSource()).Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{quiet, late, busy} {
			expected := want
			if text == quiet {
				expected = 0
			}
			v, err := NewVerifier(b, f, nil)
			if err != nil || !v.Data() {
				t.Fatal("the file knows nothing of data", err)
			}
			run, touches := used(b, trees, vectors, text, packets)
			for _, x := range run {
				for _, y := range touches[x.Serial] {
					v.Touch(y)
				}
				v.Take(x)
			}
			list, _ := v.Finish()
			if len(list) != expected {
				t.Fatalf("%d packets, %s: %d violations, want %d: %+v", packets, text, len(list), expected, list)
			}
			if expected == 0 {
				continue
			}
			if c := list[0]; c.Kind != InterleavingViolation || c.Variable != "packets[0]" || c.Vector != 22 || c.Flow != "A22 A22 B22" ||
				c.Orders[0] != (DataOrder{"packets[]", Access{"A22", "ADC", true}, Access{"A18", "SPI_STC", false}}) {
				t.Errorf("%+v", *c)
			}
			if text != busy {
				continue
			}
			if added, err := f.Approve(list, nil); err != nil || len(added) != 1 || !strings.Contains(added[0], "packets[0]") {
				t.Errorf("approved: %v, %v", added, err)
			}
		}
	}
}

// Touches come before the instances that they are of, which end later and in another order: what comes after which writing is as if all
// had been known at once.
func TestAccessesAreInOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	model := &Model{Number: 7}
	for range 200 {
		var want, got []string
		a := newAccesses(func(after, at *touched) {
			got = append(got, fmt.Sprint(at.Variable, after.Serial, at.Serial, at.Write))
		})
		wrote := map[string]string{}
		byVariable := map[string][]string{}
		const instances = 12
		open := []uint64{}
		begun := uint64(0)
		for range 60 {
			switch {
			case begun < instances && (len(open) == 0 || r.IntN(3) == 0):
				open = append(open, begun)
				begun++
			case r.IntN(4) > 0:
				serial, name, write := open[r.IntN(len(open))], string(rune('x'+r.IntN(2))), r.IntN(2) == 0
				a.touch(calltree.Touch{Variable: name, Serial: serial, Write: write})
				if wrote[name] != "" {
					byVariable[name] = append(byVariable[name], fmt.Sprint(name, wrote[name], serial, write))
				}
				if write {
					wrote[name] = fmt.Sprint(serial, " ")
				}
			}
			if len(open) == 0 {
				break
			}
		}
		for _, s := range r.Perm(int(begun)) {
			a.instance(&calltree.Instance{Serial: uint64(s)}, model)
		}
		if len(a.waiting) > 0 {
			t.Fatal("something waits for ever")
		}
		for _, name := range []string{"x", "y"} {
			want = append(want, byVariable[name]...)
		}
		squeeze := func(list []string, name string) string {
			var of []string
			for _, s := range list {
				if strings.HasPrefix(s, name) {
					of = append(of, strings.ReplaceAll(s, " ", ""))
				}
			}
			return strings.Join(of, "\n")
		}
		for _, name := range []string{"x", "y"} {
			if squeeze(got, name) != squeeze(want, name) {
				t.Fatalf("%s\nwant\n%s", squeeze(got, name), squeeze(want, name))
			}
		}
	}
}
