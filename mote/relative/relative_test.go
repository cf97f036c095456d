package relative_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"motehound/mote/digest"
	"motehound/mote/relative"
	"motehound/mote/relative/relativetest"
)

// never is a time without a moment.
const never = ^uint64(0)

type inner struct {
	At  uint64    `time:"ps"`
	Two [2]uint64 `time:"clkio,ahead"`
}

type sample struct {
	First  uint64 `time:"cycles,hand"`
	Cycle  uint64 `time:"cycles"`
	None   uint64 `time:"clkadc,orzero"`
	Many   [2]inner
	Number uint64 `time:"number"`
	Count  uint32 `time:"stat"`
	Plain  uint32
	Tick   uint64 `time:"ticks"`
	Last   uint64 `time:"derived"`
}

var table = relative.Of[sample]()

var (
	now = relative.Now{1000, 900, 800, 123_456_789, 7}
	one = sample{First: 5, Cycle: 1010, None: 790, Number: 77, Count: 3, Plain: 4, Tick: 9, Last: 12,
		Many: [2]inner{{At: 123_456_000, Two: [2]uint64{900, 901}}, {At: never, Two: [2]uint64{1200, never}}}}
)

func sum(v sample, now relative.Now) digest.Sum {
	h := digest.New()
	table.Append(&h, &v, &now)
	return h.Sum()
}

// Everything that is not left out is seen.
func TestSeen(t *testing.T) {
	got := relativetest.Unseen(func(v *sample) digest.Sum { return sum(*v, now) }, &one)
	if want := []string{".First", ".Count", ".Last"}; !slices.Equal(got, want) {
		t.Errorf("unseen: %v, want %v", got, want)
	}
}

// A state later, with the clocks, is the same; with any clock left behind it is not.
func TestShift(t *testing.T) {
	by := relative.Now{11, 22, 33, 44, 55}
	v, later := one, now
	table.Shift(&v, &now, &by)
	for i := range later {
		later[i] += by[i]
	}
	if sum(v, later) != sum(one, now) {
		t.Error("the same later is something else")
	}
	if v.First != one.First+11 || v.Many[1].At != never {
		t.Errorf("shifted to %+v", v)
	}
	for i := range later {
		wrong := later
		wrong[i]--
		if sum(v, wrong) == sum(one, now) {
			t.Errorf("clock %d does not count", i)
		}
	}
}

// What is over is the same whenever it was, and so is none; a moment in the past that counts is not.
func TestOver(t *testing.T) {
	for what, v := range map[string]sample{
		"over, not now":    change(func(v *sample) { v.Many[0].Two[0] = 1 }),
		"further ahead":    change(func(v *sample) { v.Many[0].Two[1]++ }),
		"longer ago":       change(func(v *sample) { v.Many[0].At-- }),
		"none, not a time": change(func(v *sample) { v.None = 0 }),
	} {
		if sum(v, now) == sum(one, now) {
			t.Errorf("%s: it does not count", what)
		}
	}
	a := change(func(v *sample) { v.Many[0].Two[0], v.None = 899, 0 })
	b := change(func(v *sample) { v.Many[0].Two[0], v.None = 3, 0 })
	later := now
	later[relative.ADC]++
	if sum(a, now) != sum(b, now) || sum(a, later) != sum(b, now) {
		t.Error("what is over counts")
	}
	// Times just before and just after now are not taken for each other, nor for Never.
	seen := map[uint64]bool{never: true}
	for d := range uint64(5) {
		x := relative.Distance(1000-2+d, 1000)
		if seen[x] {
			t.Errorf("%d twice", x)
		}
		seen[x] = true
	}
}

func change(f func(*sample)) sample {
	v := one
	f(&v)
	return v
}

// A time that nobody has classified is refused, by name.
func TestCheck(t *testing.T) {
	type nested struct{ A [2]struct{ B uint64 } }
	for _, c := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[sample](), ""},
		{reflect.TypeFor[nested](), "A[0].B has 64 bits"},
		{reflect.TypeFor[struct{ X int64 }](), ".X has 64 bits"},
		{reflect.TypeFor[struct {
			X uint64 `time:"noon"`
		}](), "not one that package relative lists"},
		{reflect.TypeFor[struct {
			X uint64 `time:"ps,sometimes"`
		}](), `"sometimes" in its tag`},
		{reflect.TypeFor[struct {
			X uint32 `time:"ps"`
		}](), "times are uint64"},
		{reflect.TypeFor[struct {
			X uint64 `time:"stat,ahead"`
		}](), "not one that package relative lists"},
		{reflect.TypeFor[struct{ X *uint64 }](), "state must be fixed-size"},
	} {
		err := relative.Check(c.typ)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.typ, err, c.want)
		}
	}
}
