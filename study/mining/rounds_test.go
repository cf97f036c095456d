package mining

import (
	"path/filepath"
	"reflect"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote/board"
	"motehound/observe/intervals"
	"motehound/world"
)

// Each round of a main loop that did something is an interval, and no other is: as many as the program itself counts. It makes no difference whether idle ones are executed.
func TestRounds(t *testing.T) {
	for _, flag := range []string{"-Os", "-O2", "-O3", "-DSLEEPS"} {
		t.Run(flag, func(t *testing.T) {
			elf := filepath.Join(t.TempDir(), "a.elf")
			if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega328p", "-Os", flag, "-gdwarf-4", "-o", elf, "../../observe/lifecycle/testdata/rounds.c").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			im, err := image.Load(elf)
			if err != nil {
				t.Fatal(err)
			}
			k := testkit.On(t, &board.Uno, im)
			var list [2][]Interval
			var losses [2]*LossTracker
			for n := range list {
				cfg := &world.Config{Motes: []world.MoteConfig{{Kind: k}}}
				for i := range uint64(9) {
					cfg.Serial = append(cfg.Serial, world.Serial{At: (i + 1) * world.Second / 7, Bytes: []byte{uint8(i)}})
				}
				w := testkit.World(t, cfg, world.Natural{Seed: 1})
				m := w.Motes()[0]
				m.SkipWaits(n == 0)
				field, err := NewFirmware(k)
				if err != nil {
					t.Fatal(err)
				}
				losses[n] = NewLossTracker(field)
				h, err := field.Watch(w, 0, Options{Losses: losses[n]}, func(iv *Interval) {
					x := *iv
					x.Interval = *iv.Clone()
					x.Counts = append(x.Counts[:0:0], iv.Counts...)
					list[n] = append(list[n], x)
				})
				if err != nil {
					t.Fatal(err)
				}
				w.RunUntil(2 * world.Second)
				h.Close()
				count := 0
				for _, iv := range list[n] {
					if iv.Vector == intervals.LoopVector {
						count++
					}
				}
				s, _ := im.Symbol("rounds")
				if did := int(m.Peek(uint16(s.Addr))); count != did || did < 15 {
					t.Errorf("%d intervals of %d rounds that did something", count, did)
				}
				if n == 0 && flag != "-DSLEEPS" && m.Skipped() < m.Core().Instructions*9/10 {
					t.Errorf("only %d of %d instructions were skipped", m.Skipped(), m.Core().Instructions)
				}
			}
			if !reflect.DeepEqual(list[0], list[1]) || !reflect.DeepEqual(losses[0].places, losses[1].places) {
				t.Error("skipping makes a difference")
			}
		})
	}
}
