package property_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/property/builtin"
	"motehound/study/property/kernel"
	"motehound/study/property/memory"
	"motehound/world"

	"motehound/internal/testkit"
)

// Long is what the check of docs/adding-a-check.md finds: a handler that takes long.
const Long builtin.Kind = "handlers: long"

// Check finds handlers that take longer than so many cycles.
type Check struct{ Cycles uint64 }

func (Check) Name() string          { return "handlers" }
func (Check) Kinds() []builtin.Kind { return []builtin.Kind{Long} }
func (Check) Marks() int            { return 0 }

func (c Check) Prepare(kinds []*mote.Kind, opt *builtin.Options) (builtin.Prepared, error) {
	ends, err := builtin.ByMote(kinds, func(k *mote.Kind) ([]uint32, error) {
		var at []uint32
		for pc := range k.Program().Words() {
			if k.Program().At(pc).Op == avr.OpReti {
				at = append(at, pc)
			}
		}
		return at, nil
	})
	return &prepared{c, kinds, ends, opt}, err
}

type prepared struct {
	Check
	kinds []*mote.Kind
	ends  [][]uint32 // by mote: where handlers end
	opt   *builtin.Options
}

func (*prepared) LeftOut() []string { return nil }

func (p *prepared) Begin(w *world.World) []builtin.Tracker {
	var list []builtin.Tracker
	for i, m := range w.Motes() {
		list = append(list, &tracker{Base: builtin.NewBase(w, i, p.opt), prepared: p, mote: m})
	}
	w.Observe(world.Observer{
		Interrupt: func(i int, cycle uint64, vector uint8) { list[i].(*tracker).enter(cycle, vector) },
		Code: func(i int, cycle uint64, pc uint32) bool {
			list[i].(*tracker).leave(cycle, pc)
			return false
		},
		CodeAt: func(k *mote.Kind) []uint32 { return p.ends[slices.Index(p.kinds, k)] },
	})
	return list
}

// state is what goes with snapshots.
type state struct {
	since  uint64 // cycle in which the handler was entered; 0 outside of handlers
	vector uint8
}

func (state) Mark() uint64 { return 0 }

type tracker struct {
	builtin.Base
	state
	prepared *prepared
	mote     *mote.Mote
}

func (t *tracker) Freeze(builtin.State) builtin.State { return t.state }
func (t *tracker) Thaw(from builtin.State)            { t.state = from.(state) }
func (t *tracker) CopyFrom(from builtin.Tracker)      { t.state = from.(*tracker).state }

func (t *tracker) enter(cycle uint64, vector uint8) {
	t.since, t.vector, t.Changed = cycle, vector, true
}

func (t *tracker) leave(cycle uint64, pc uint32) {
	took := cycle - t.since
	if t.since != 0 && took > t.prepared.Cycles {
		spot := builtin.Spot{Code: pc, Arg: uint16(t.vector)}
		if !t.Known(Long, spot) {
			name := t.mote.Chip().VectorName(t.vector)
			t.Report(builtin.Finding{Kind: Long, Cycle: cycle, PC: 2 * pc, Place: builtin.Places(t.mote.Kind.Image, 2*pc)[0], Spot: spot,
				Subject: name, Message: fmt.Sprintf("the handler of %s takes %d cycles", name, took), Harmless: true})
		}
	}
	t.since, t.Changed = 0, true
}

// A check of one's own works beside the others: it finds what it is for, its state goes with snapshots, and looking changes nothing.
func TestOwnCheck(t *testing.T) {
	k := testkit.Example(t, "counter", "micaz")
	motes := func() *world.World {
		return testkit.Network(t, k, 2, nil, world.Config{Stagger: 1000}, 1)
	}
	set, err := builtin.Prepare([]builtin.Check{memory.Check{}, kernel.Check{}, Check{Cycles: 500}}, []*mote.Kind{k, k}, &builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const half, end = world.Second / 2, world.Second
	w, plain := motes(), motes()
	watch := set.Attach(w)
	w.RunUntil(half)
	early, there := watch.Save(), w.Clone()
	w.RunUntil(end)
	plain.RunUntil(end)
	want := watch.Findings()
	if len(want) == 0 || want[0].Kind != Long || w.Hash() != plain.Hash() {
		t.Fatalf("found %v; looking changes the run: %v", want, w.Hash() != plain.Hash())
	}
	again := set.Attach(there)
	again.Restore(early)
	there.RunUntil(end)
	if got := again.Findings(); !reflect.DeepEqual(got, want) {
		t.Errorf("from a snapshot %v, want %v", got, want)
	}
	if v := watch.Take(0)[0].Violation(); v.Property != "handlers: long" || !v.Harmless || v.Function == "" {
		t.Errorf("%+v", v)
	}
	if again := watch.Take(0); len(again) > 0 {
		t.Errorf("taken twice: %v", again)
	}
}
