package scenario

import (
	"fmt"
	"math/bits"

	"go.starlark.net/starlark"
)

// wave is how a sensor's reading goes on. It calls set for each change, in the order of time.
type wave interface {
	starlark.Value
	each(horizon uint64, set func(after uint64, value uint16) error) error
}

// rampWave goes from one reading to another in steps of one, each at its exact time.
type rampWave struct {
	opaque
	from, to uint16
	over     uint64
}

func (w *rampWave) String() string { return "ramp()" }
func (w *rampWave) Type() string   { return "readings" }

func (w *rampWave) each(_ uint64, set func(uint64, uint16) error) error {
	n, sign := int(w.to)-int(w.from), 1
	if n < 0 {
		n, sign = -n, -1
	}
	for i := range n + 1 {
		at := uint64(0)
		if i > 0 {
			hi, lo := bits.Mul64(w.over, uint64(i))
			at, _ = bits.Div64(hi, lo, uint64(n))
		}
		if err := set(at, uint16(int(w.from)+sign*i)); err != nil {
			return err
		}
	}
	return nil
}

func ramp(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		first, last starlark.Value
		over        instant
	)
	if err := unpack(thread, f.Name(), args, kwargs, "first", &first, "last", &last, "over", &over); err != nil {
		return nil, err
	}
	a, err := reading(f, "first", first)
	if err != nil {
		return nil, err
	}
	b, err := reading(f, "last", last)
	return &rampWave{from: a, to: b, over: over.ps}, err
}

func reading(f *starlark.Builtin, name string, v starlark.Value) (uint16, error) {
	n, err := intIn(v, 0, maxReading)
	if err != nil {
		return 0, fmt.Errorf("%s: %s %v", f.Name(), name, err)
	}
	return uint16(n), nil
}

// stepsWave holds each value for a while; the last one stays, or all of them repeat.
type stepsWave struct {
	opaque
	values []uint16
	every  uint64
	repeat bool
}

func (w *stepsWave) String() string { return "steps()" }
func (w *stepsWave) Type() string   { return "readings" }

func (w *stepsWave) each(horizon uint64, set func(uint64, uint16) error) error {
	if !w.repeat {
		for i, v := range w.values {
			hi, at := bits.Mul64(w.every, uint64(i))
			if hi != 0 {
				return fmt.Errorf("steps after the largest possible time")
			}
			if err := set(at, v); err != nil {
				return err
			}
		}
		return nil
	}
	return sampled(horizon, w.every, func(i uint64) uint16 { return w.values[i%uint64(len(w.values))] }, set)
}

func steps(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		list   starlark.Value
		every  instant
		repeat bool
	)
	if err := unpack(thread, f.Name(), args, kwargs, "values", &list, "every", &every, "repeat?", &repeat); err != nil {
		return nil, err
	}
	w := &stepsWave{every: every.ps, repeat: repeat}
	for i, v := range values(list) {
		n, err := reading(f, fmt.Sprintf("value %d", i), v)
		if err != nil {
			return nil, err
		}
		w.values = append(w.values, n)
	}
	switch {
	case len(w.values) == 0:
		return nil, fmt.Errorf("%s: give at least one value", f.Name())
	case every.ps == 0:
		return nil, fmt.Errorf("%s: every is 0: give the length of a step", f.Name())
	}
	return w, nil
}

// sampled asks for a reading every so often until the horizon.
func sampled(horizon, every uint64, at func(i uint64) uint16, set func(uint64, uint16) error) error {
	if horizon == 0 {
		return fmt.Errorf("these readings have no end: give run(time = \"60s\"), or over = \"60s\"")
	}
	for i := uint64(0); i <= horizon/every; i++ {
		if err := set(i*every, at(i)); err != nil {
			return err
		}
	}
	return nil
}

// sampledWave is a function of time, sampled: a sine or noise.
type sampledWave struct {
	opaque
	name        string
	every, over uint64
	at          func() func(i uint64) uint16 // starts anew for each sensor
}

func (w *sampledWave) String() string { return w.name + "()" }
func (w *sampledWave) Type() string   { return "readings" }

func (w *sampledWave) each(horizon uint64, set func(uint64, uint16) error) error {
	if w.over > 0 {
		horizon = w.over
	}
	return sampled(horizon, w.every, w.at(), set)
}

func sine(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		mean, amplitude     starlark.Value
		period, every, over instant
	)
	err := unpack(thread, f.Name(), args, kwargs, "mean", &mean, "amplitude", &amplitude, "period", &period, "every?", &every, "over?", &over)
	if err != nil {
		return nil, err
	}
	m, a, err := spread(f, mean, "amplitude", amplitude)
	if err != nil {
		return nil, err
	}
	if !every.set {
		every.ps = max(period.ps/32, 1)
	}
	if period.ps == 0 || every.ps == 0 {
		return nil, fmt.Errorf("%s: period and every must be longer than 0", f.Name())
	}
	return &sampledWave{name: f.Name(), every: every.ps, over: over.ps, at: func() func(uint64) uint16 {
		return func(i uint64) uint16 {
			hi, lo := bits.Mul64(i, every.ps)
			return clamp(m + float64(a*sinTurns(bits.Rem64(hi, lo, period.ps), period.ps)))
		}
	}}, nil
}

// spread is the mean of readings, and how far they are away from it, under its name.
func spread(f *starlark.Builtin, mean starlark.Value, name string, away starlark.Value) (m, a float64, err error) {
	if m, err = realIn(mean, 0, maxReading); err != nil {
		return 0, 0, fmt.Errorf("%s: mean %v", f.Name(), err)
	}
	if a, err = realIn(away, 0, maxReading); err != nil {
		return 0, 0, fmt.Errorf("%s: %s %v", f.Name(), name, err)
	}
	return m, a, nil
}

// sinTurns is the sine of num/den of a full turn. The math package's sine may differ between processors; products that
// are converted before they are added are the same everywhere.
func sinTurns(num, den uint64) float64 {
	x := float64(num) / float64(den) // 0 to 1
	sign := 1.0
	if x >= 0.5 {
		x, sign = x-0.5, -1
	}
	if x > 0.25 {
		x = 0.5 - x
	}
	x *= 6.283185307179586
	square, term, sum := float64(x*x), x, x
	for k := 3.0; k < 18; k += 2 {
		term = float64(-term*square) / float64(k*(k-1))
		sum += term
	}
	return sign * sum
}

// maxSeed bounds the seeds of helpers.
const maxSeed = 1<<63 - 1

// clamp is the nearest possible reading.
func clamp(x float64) uint16 { return uint16(min(max(x+0.5, 0), maxReading)) }

func noise(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		mean, dev   starlark.Value
		seed        = starlark.Value(starlark.MakeInt(1))
		every, over instant
	)
	err := unpack(thread, f.Name(), args, kwargs, "mean", &mean, "dev", &dev, "seed?", &seed, "every?", &every, "over?", &over)
	if err != nil {
		return nil, err
	}
	m, d, err := spread(f, mean, "dev", dev)
	if err != nil {
		return nil, err
	}
	number, err := intIn(seed, 0, maxSeed)
	if err != nil {
		return nil, fmt.Errorf("%s: seed %v", f.Name(), err)
	}
	if every.ps == 0 {
		return nil, fmt.Errorf("%s: every is missing: give one, such as every = \"100ms\"", f.Name())
	}
	return &sampledWave{name: f.Name(), every: every.ps, over: over.ps, at: func() func(uint64) uint16 {
		g := generator{uint64(number)}
		return func(uint64) uint16 { return clamp(m + float64(d*g.normal())) }
	}}, nil
}

// generator is SplitMix64 (Steele, Lea, Flood 2014).
type generator struct{ state uint64 }

func (g *generator) next() uint64 {
	g.state += 0x9E3779B97F4A7C15
	z := g.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// normal is nearly normally distributed, with deviation 1: the sum of twelve uniform numbers, less six.
func (g *generator) normal() float64 {
	sum := int64(-6 << 32)
	for range 12 {
		sum += int64(g.next() >> 32)
	}
	return float64(sum) / (1 << 32)
}
