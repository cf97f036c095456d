package scenario

import (
	"fmt"
	"math/bits"
	"strings"

	"go.starlark.net/starlark"
)

// units of time in picoseconds, the longer of two with the same beginning first.
var units = []struct {
	name string
	ps   uint64
}{
	{"ps", 1},
	{"ns", 1_000},
	{"us", 1_000_000},
	{"µs", 1_000_000},
	{"ms", 1_000_000_000},
	{"min", 60_000_000_000_000},
	{"m", 60_000_000_000_000},
	{"s", 1_000_000_000_000},
	{"h", 3600_000_000_000_000},
}

const timeHelp = `write a string with a unit, such as "10s", "20ms", "1.5us" or "1m30s"`

// parseTime reads a time, exactly.
func parseTime(text string) (uint64, error) {
	rest := strings.TrimSpace(text)
	if rest == "" {
		return 0, fmt.Errorf("time %q is empty: %s", text, timeHelp)
	}
	if rest[0] == '-' {
		return 0, fmt.Errorf("time %q lies before the start of the run", text)
	}
	total := uint64(0)
	for rest != "" {
		ps, after, err := timePart(text, rest)
		if err != nil {
			return 0, err
		}
		sum, carry := bits.Add64(total, ps, 0)
		if carry != 0 || sum > maxTime {
			return 0, fmt.Errorf("time %q is longer than %d days", text, maxTime/(24*3600_000_000_000_000))
		}
		total, rest = sum, strings.TrimLeft(after, " ")
	}
	return total, nil
}

// maxTime leaves room for sums of two times.
const maxTime = 1 << 63

// timePart reads one number with its unit.
func timePart(text, rest string) (ps uint64, after string, err error) {
	i := 0
	for i < len(rest) && (rest[i] >= '0' && rest[i] <= '9' || rest[i] == '.' || rest[i] == '_') {
		i++
	}
	whole, fraction, dotted := strings.Cut(strings.ReplaceAll(rest[:i], "_", ""), ".")
	if whole+fraction == "" || strings.Contains(fraction, ".") || dotted && fraction == "" {
		return 0, "", fmt.Errorf("time %q is not understood: %s", text, timeHelp)
	}
	rest = strings.TrimLeft(rest[i:], " ")
	for _, u := range units {
		if !strings.HasPrefix(rest, u.name) {
			continue
		}
		if ps, err = scaled(text, whole, fraction, u.ps); err != nil {
			return 0, "", err
		}
		return ps, rest[len(u.name):], nil
	}
	if rest == "" {
		return 0, "", fmt.Errorf("time %q has no unit: %s", text, timeHelp)
	}
	return 0, "", fmt.Errorf("time %q has an unknown unit: use ps, ns, us, ms, s, m or h", text)
}

func scaled(text, whole, fraction string, unit uint64) (uint64, error) {
	total := uint64(0)
	for _, c := range whole {
		hi, lo := bits.Mul64(total, 10)
		sum, carry := bits.Add64(lo, uint64(c-'0'), 0)
		if hi != 0 || carry != 0 {
			return 0, fmt.Errorf("time %q is too long", text)
		}
		total = sum
	}
	hi, total := bits.Mul64(total, unit)
	if hi != 0 {
		return 0, fmt.Errorf("time %q is too long", text)
	}
	for _, c := range strings.TrimRight(fraction, "0") {
		if unit%10 != 0 {
			// Units down to the picosecond are powers of ten; minutes and hours are multiples of 60 s, in which all decimal
			// fractions that people write are whole picoseconds.
			return 0, fmt.Errorf("time %q is finer than a picosecond", text)
		}
		unit /= 10
		part := uint64(c-'0') * unit
		sum, carry := bits.Add64(total, part, 0)
		if carry != 0 {
			return 0, fmt.Errorf("time %q is too long", text)
		}
		total = sum
	}
	return total, nil
}

// instant is a time as an argument. It tells users of bare numbers what to write instead.
type instant struct {
	ps  uint64
	set bool
}

// Unpack implements starlark.Unpacker.
func (t *instant) Unpack(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil
	case starlark.String:
		ps, err := parseTime(string(v))
		if err != nil {
			return err
		}
		t.ps, t.set = ps, true
		return nil
	case starlark.Int, starlark.Float:
		return fmt.Errorf("time %v has no unit: write \"%vs\" or \"%vms\"", v, v, v)
	}
	return fmt.Errorf("got %s for a time: %s", v.Type(), timeHelp)
}

// span is a moment, or two moments between which it is chosen.
type span struct {
	from, until uint64
	set         bool
}

// Unpack implements starlark.Unpacker.
func (s *span) Unpack(v starlark.Value) error {
	if v == starlark.None {
		return nil
	}
	ends := []starlark.Value{v, v}
	if t, ok := v.(starlark.Indexable); ok && v.Type() != "string" {
		if t.Len() != 2 {
			return fmt.Errorf("got %d times: give one, or a pair of the earliest and the latest", t.Len())
		}
		ends = []starlark.Value{t.Index(0), t.Index(1)}
	}
	var from, until instant
	if err := from.Unpack(ends[0]); err != nil {
		return err
	}
	if err := until.Unpack(ends[1]); err != nil {
		return err
	}
	if !from.set || !until.set {
		return fmt.Errorf("got None for a time: %s", timeHelp)
	}
	if from.ps > until.ps {
		return fmt.Errorf("the earliest time, %v, is after the latest, %v", ends[0], ends[1])
	}
	*s = span{from.ps, until.ps, true}
	return nil
}

// showTime is a time as a scenario would have it.
func showTime(ps uint64) string {
	for _, u := range []struct {
		name string
		ps   uint64
	}{{"s", 1_000_000_000_000}, {"ms", 1_000_000_000}, {"us", 1_000_000}, {"ns", 1_000}} {
		if ps >= u.ps && ps%(u.ps/1000) == 0 {
			s := fmt.Sprintf("%d.%03d", ps/u.ps, ps%u.ps/(u.ps/1000))
			return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + u.name
		}
	}
	return fmt.Sprintf("%dps", ps)
}
