package mcu

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"motehound/firmware/image"
	"motehound/mote/cell"
	"motehound/mote/chip"
	"motehound/mote/digest"
	"motehound/mote/periph"
)

// TestSpinLockstep runs generated loops with skipping and without. They are in the same state wherever one looks, after the same number of
// instructions, and have done the same to the outside at the same times. MOTEHOUND_SPIN_SEEDS is how often to do so, with other loops each time.
func TestSpinLockstep(t *testing.T) {
	const loops = 209
	seeds := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("MOTEHOUND_SPIN_SEEDS"), 10, 64); err == nil {
		seeds = n
	}
	for _, c := range []*chip.Chip{&chip.ATmega328P, &chip.ATmega128} {
		t.Run(c.Name, func(t *testing.T) {
			skipped, did := uint64(0), 0
			for seed := range seeds {
				r := rand.New(rand.NewPCG(seed, 19))
				file := filepath.Join(t.TempDir(), "loops.S")
				if err := os.WriteFile(file, []byte(loopText(r, loops)), 0o600); err != nil {
					t.Fatal(err)
				}
				im, err := image.Parse(file, compile(t, c, file, nil))
				if err != nil {
					t.Fatal(err)
				}
				for i := range loops {
					n := loopLockstep(t, c, im, fmt.Sprintf("loop%d", i), r)
					if skipped += n; n > 0 {
						did++
					}
				}
			}
			if did < loops/3 || skipped < loops*10_000 {
				t.Errorf("%d of %d loops were skipped, %d instructions: too few to say anything", did, loops, skipped)
			}
			t.Logf("%d of %d loops, %d instructions skipped", did, loops, skipped)
		})
	}
}

// loopLockstep runs a loop, and tells how many instructions were skipped before it was over, as far as that was seen.
func loopLockstep(t *testing.T, c *chip.Chip, im *image.Image, name string, r *rand.Rand) uint64 {
	t.Helper()
	sym, ok := im.Symbol(name)
	if !ok {
		t.Fatal("no symbol", name)
	}
	var with [2]*bench
	for i := range with {
		b := newBench(t, c, im, nil, &script{hertz: 8_000_000, crystal: 32768, fuses: [3]uint8{0xFF, 0xFF, 0xFF}})
		b.m.core.PC, b.m.core.SP = sym.Addr/2, c.RAMBase+uint16(c.RAMSize)-1
		b.m.SkipWaits(i == 0)
		with[i] = b
	}
	at, skipped := uint64(0), uint64(0)
	for stop := range 8 {
		at += r.Uint64N(1 << (8 + 2*stop))
		for _, b := range with {
			b.m.RunTo(at)
		}
		compareBenches(t, name, with[0], with[1])
		if t.Failed() {
			t.FailNow()
		}
		if with[0].m.core.R[2] == 0 {
			skipped = with[0].m.Skipped()
		}
		bit, f := with[0].m.SerialRate(0)
		level := periph.Drive(stop % 3)
		for _, b := range with {
			b.m.SetInput(periph.P('B', 2), level)
			if stop%2 == 1 {
				b.m.Receive(0, periph.SerialChar{Data: cell.Of(uint8(stop)), Format: f, BitTime: bit})
			}
		}
	}
	return skipped
}

func compareBenches(t *testing.T, name string, a, b *bench) {
	t.Helper()
	hash := func(m *Machine) digest.Sum {
		h := digest.New()
		m.AppendState(&h)
		return h.Sum()
	}
	if hash(a.m) == hash(b.m) && reflect.DeepEqual(a.sent, b.sent) && reflect.DeepEqual(a.edges, b.edges) && reflect.DeepEqual(a.served, b.served) {
		return
	}
	t.Errorf("%s, skipped %d instructions: with skipping\n%+v\nwithout\n%+v", name, a.m.Skipped(), a.m.core.State.Digested(), b.m.core.State.Digested())
	if x, y := *a.m.st, *b.m.st; x != y {
		t.Errorf("states\n%+v\n%+v", x, y)
	}
	pa, ta, ua := a.m.devices()
	pb, tb, ub := b.m.devices()
	if !reflect.DeepEqual(pa, pb) || !reflect.DeepEqual(ua, ub) {
		t.Error("ports or USARTs differ")
	}
	for i := range ta {
		if ta[i] != tb[i] {
			t.Errorf("timer %d\n%+v\n%+v", i, ta[i], tb[i])
		}
	}
	for i := range a.m.ram {
		if a.m.ram[i] != b.m.ram[i] {
			t.Errorf("RAM at %#x: %d, %d", i+int(a.chip.RAMBase), a.m.ram[i], b.m.ram[i])
		}
	}
}
