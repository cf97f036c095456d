package boardpart

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"motehound/mote/relative"
	"motehound/mote/store"
)

func TestRelativeTags(t *testing.T) {
	t.Parallel()
	for _, typ := range []reflect.Type{reflect.TypeFor[AT45DBState](), reflect.TypeFor[DS2401State]()} {
		if err := relative.Check(typ); err != nil {
			t.Error(err)
		}
	}
}

// A flash that has forgotten answers like one that has not, whatever it is asked.
func TestFlashForgets(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	opcodes := []uint8{0xD7, 0x57, 0xD2, 0xE8, 0x68, 0xD4, 0x56, 0x84, 0x82, 0x53, 0x60, 0x83, 0x88, 0x58, 0x81, 0x50, 0x00}
	forgot := 0
	for range 40 {
		memories := [2]store.Store{store.New(nil, AT45DBSize, 0xFF), store.New(nil, AT45DBSize, 0xFF)}
		var plain, forgetful AT45DBState
		all := [2]*AT45DB{{S: &plain, Contents: &memories[0]}, {S: &forgetful, Contents: &memories[1]}}
		now, bits := uint64(0), 0
		var out uint8
		for step := range 3000 {
			now += uint64(random.IntN(3000)) * 1000
			selected := random.IntN(300) != 0 && (plain.Selected != 0 || random.IntN(8) == 0)
			if plain.Selected == 0 || bits == 8 {
				out, bits = opcodes[random.IntN(len(opcodes))]&uint8(-random.IntN(2)), 0
			}
			rising, si := plain.Clock == 0, out<<bits&0x80 != 0
			if rising {
				bits++
			}
			for _, f := range all {
				for f.Next() <= now {
					f.Event(f.Next())
				}
				f.Select(selected, now)
				f.Clock(rising, si, now)
			}
			if x, y := all[0].Next(), all[1].Next(); x != y {
				t.Fatalf("step %d: the next event is at %d, not %d", step, y, x)
			}
			x, driven := all[0].SO()
			if y, also := all[1].SO(); x != y || driven != also {
				t.Fatalf("step %d: SO differs", step)
			}
			before := forgetful
			if forgetful.Forget(); forgetful != before {
				forgot++
			}
		}
		if memories[0].Hash() != memories[1].Hash() || plain.Buffers != forgetful.Buffers {
			t.Fatal("the contents differ")
		}
	}
	if forgot == 0 {
		t.Error("nothing was ever forgotten")
	}
}

// A serial number chip that has forgotten answers like one that has not: to resets, commands, and slots of any length.
func TestSerialForgets(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	lengths := []uint64{1, 10, 20, 40, 70, 120, 500, 600, 5000}
	forgot, pulls := 0, 0
	for range 60 {
		a, b := newWireRig(t), newWireRig(t)
		for step := range 400 {
			low, us := random.IntN(2) == 0, lengths[random.IntN(len(lengths))]
			switch {
			case step%40 == 0:
				low, us = true, 500
			case step%40 == 1:
				low, us = false, 500
			case step%40 < 18: // Read ROM, least significant bit first
				bit := ds2401ReadROM>>(step%40/2-1)&1 != 0
				low, us = step%2 == 0, 70
				if bit == low {
					us = 5
				}
			}
			for _, r := range []*wireRig{a, b} {
				r.pull(low)
				r.wait(us)
			}
			if a.level() != b.level() || a.d.Next() != b.d.Next() {
				t.Fatalf("step %d: the line is %v, not %v, the next event at %d, not %d", step, b.level(), a.level(), b.d.Next(), a.d.Next())
			}
			if a.d.Pulls() {
				pulls++
			}
			before := *b.d.S
			if b.d.S.Forget(b.now); *b.d.S != before {
				forgot++
			}
		}
	}
	if forgot == 0 || pulls == 0 {
		t.Errorf("forgot %d times, pulled %d times", forgot, pulls)
	}
}
