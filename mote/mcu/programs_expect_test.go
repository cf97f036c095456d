package mcu

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"motehound/mote/chip"
	"motehound/mote/periph"
)

// check compares what happened with what a script expects.
func (b *bench) check(t *testing.T, expect []string) {
	t.Helper()
	for _, e := range expect {
		if err := b.expectation(e); err != nil {
			t.Errorf("expected %s: %v", e, err)
		}
	}
}

func (b *bench) expectation(e string) error {
	verb, rest, _ := strings.Cut(e, " ")
	switch verb {
	case "var", "bytes", "words":
		return b.variable(verb, rest)
	case "wave":
		return b.wave(rest)
	case "spans":
		return b.spans(rest)
	case "level":
		return b.level(rest)
	case "served":
		return b.services(rest)
	case "entry":
		return b.entry(rest)
	case "uart":
		return b.serial(rest)
	case "spi":
		return same(fmt.Sprintf("% X", b.shifted), rest)
	case "replies":
		return same(fmt.Sprintf("% X", b.replies), rest)
	case "twi":
		return same(strings.Join(b.twi, " "), rest)
	case "sampled":
		return b.samples(rest)
	case "notice":
		return b.notice(rest)
	case "notices":
		return same(fmt.Sprint(len(b.notes)), rest)
	case "eeprom":
		return b.contents(rest)
	case "slept":
		return b.slept(rest)
	}
	return fmt.Errorf("unknown expectation %q", verb)
}

func same(got, want string) error {
	if got != want {
		return fmt.Errorf("got %s", got)
	}
	return nil
}

// variable is "NAME == values": one number for var (or LOW..HIGH), bytes or words for arrays.
func (b *bench) variable(verb, rest string) error {
	name, want, ok := strings.Cut(rest, " == ")
	mem, err := b.bytesOf(name)
	if err != nil || !ok {
		return fmt.Errorf("bad expectation: %w", err)
	}
	size := map[string]int{"var": len(mem), "bytes": 1, "words": 2}[verb]
	var got []uint64
	for i := 0; i+size <= len(mem); i += size {
		v := uint64(0)
		for j := size - 1; j >= 0; j-- {
			v = v<<8 | uint64(mem[i+j])
		}
		got = append(got, v)
	}
	wants := strings.Fields(want)
	if verb == "var" {
		wants = []string{want}
	}
	for i, w := range wants {
		lo, hi, err := interval(w)
		if err != nil {
			return err
		}
		if i >= len(got) || got[i] < lo || got[i] > hi {
			return fmt.Errorf("got %d (%#x)", got, got)
		}
	}
	return nil
}

// interval is "N" or "N..M".
func interval(s string) (lo, hi uint64, err error) {
	from, to, ranged := strings.Cut(s, "..")
	if lo, err = number(from); err != nil || !ranged {
		return lo, lo, err
	}
	hi, err = number(to)
	return lo, hi, err
}

// moment is "PAD+N" (from the first rise of the pad) or "PAD#K+N" (from its K-th rise).
var moment = regexp.MustCompile(`^(\w+?)(?:#(\d+))?\+(.+)$`)

func (b *bench) at(s string) (uint64, error) {
	m := moment.FindStringSubmatch(s)
	if m == nil {
		return 0, fmt.Errorf("%q is no moment", s)
	}
	plus, err := number(m[3])
	if err != nil {
		return 0, err
	}
	k := 1
	if m[2] != "" {
		fmt.Sscan(m[2], &k)
	}
	for _, e := range b.edges {
		if e.pad == b.pads[m[1]] && e.level {
			if k--; k == 0 {
				return e.cycle + plus, nil
			}
		}
	}
	return 0, fmt.Errorf("%s did not rise", s)
}

// wave is "PAD rise|fall MOMENT: DURATION ... [xN]": the first edge of the pad after MARK's first rise, and the
// times between those that follow (each N or N..M), as often as the last word says. "PAD still" is a pad without edges.
func (b *bench) wave(rest string) error {
	head, tail, _ := strings.Cut(rest, ":")
	f := strings.Fields(head)
	from, err := b.at("MARK+0")
	if err != nil {
		return err
	}
	pad := b.pad(f[0])
	if b.unknown != "" {
		return fmt.Errorf("%s", b.unknown)
	}
	var got []edge
	for _, e := range b.edges {
		if e.pad == pad && e.cycle >= from {
			got = append(got, e)
		}
	}
	if f[1] == "still" {
		if len(got) != 0 {
			return fmt.Errorf("got %s", spell(got, from))
		}
		return nil
	}
	at, err := b.at(f[2])
	if err != nil {
		return err
	}
	list := strings.Fields(tail)
	times := uint64(1)
	if n := len(list); n > 0 && strings.HasPrefix(list[n-1], "x") {
		if times, err = number(list[n-1][1:]); err != nil {
			return err
		}
		list = list[:n-1]
	}
	if len(got) == 0 || got[0].level != (f[1] == "rise") || got[0].cycle != at {
		return fmt.Errorf("it does not begin so: got %s", spell(got, from))
	}
	for i := range int(times) * len(list) {
		lo, hi, err := interval(list[i%len(list)])
		if err != nil {
			return err
		}
		if i+1 >= len(got) || got[i+1].cycle-got[i].cycle < lo || got[i+1].cycle-got[i].cycle > hi {
			return fmt.Errorf("duration %d is wrong: got %s", i, spell(got, from))
		}
	}
	return nil
}

func spell(edges []edge, from uint64) string {
	var s []string
	for _, e := range edges[:min(len(edges), 12)] {
		s = append(s, fmt.Sprintf("%s@MARK+%d", pick(e.level, "rise", "fall"), e.cycle-from))
	}
	return strings.Join(s, " ")
}

// spans is "PAD NANOSECONDS ...": the times between its edges.
func (b *bench) spans(rest string) error {
	f := strings.Fields(rest)
	var got []uint64
	last := uint64(0)
	for _, e := range b.edges {
		if e.pad == b.pad(f[0]) {
			got = append(got, (e.ps-last)/1000)
			last = e.ps
		}
	}
	for i, w := range f[1:] {
		lo, hi, err := interval(w)
		if err != nil {
			return err
		}
		if i+1 >= len(got) || got[i+1] < lo || got[i+1] > hi {
			return fmt.Errorf("got %d", got[min(1, len(got)):])
		}
	}
	return nil
}

// level is "PAD high|low": at the end.
func (b *bench) level(rest string) error {
	f := strings.Fields(rest)
	return same(pick(b.m.Level(b.pad(f[0])), "high", "low"), f[1])
}

// services is "VECTOR ... " (all that were served, in order) or "VECTOR xN".
func (b *bench) services(rest string) error {
	f := strings.Fields(rest)
	if len(f) == 2 && f[1][0] == 'x' {
		v, err := b.vector(f[0])
		if err != nil {
			return err
		}
		n := 0
		for _, s := range b.served {
			if s.vector == v {
				n++
			}
		}
		return same(fmt.Sprintf("x%d", n), f[1])
	}
	var got []string
	for _, s := range b.served {
		got = append(got, b.chip.VectorName(s.vector))
	}
	return same(strings.Join(got, " "), pick(rest == "nothing", "", rest))
}

// vector finds a vector; the ATmega328P calls some by other names.
func (b *bench) vector(name string) (uint8, error) {
	if b.chip == &chip.ATmega328P {
		name = strings.Replace(name, "USART0_", "USART_", 1)
	}
	return b.chip.Vector(name)
}

// entry is "VECTOR [#K] MOMENT": the cycle in which the instruction at the vector begins.
func (b *bench) entry(rest string) error {
	f := strings.Fields(rest)
	v, err := b.vector(f[0])
	if err != nil {
		return err
	}
	k := 1
	if len(f) == 3 {
		fmt.Sscanf(f[1], "#%d", &k)
	}
	want, err := b.at(f[len(f)-1])
	if err != nil {
		return err
	}
	for _, s := range b.served {
		if s.vector == v {
			if k--; k == 0 {
				if s.cycle != want {
					return fmt.Errorf("got %+d cycles", int64(s.cycle)-int64(want))
				}
				return nil
			}
		}
	}
	return fmt.Errorf("it was not served")
}

// serial is "N bytes HEX ...", "N format 8N1" (of the first character), "N ninth BITS", and of all characters "N frame CYCLES",
// "N nanoseconds TIME" (both of a whole frame) and "N gap CYCLES" (from the end of one to the start of the next).
func (b *bench) serial(rest string) error {
	f := strings.Fields(rest)
	sent := b.sent[f[0][0]-'0']
	var bytes []byte
	for _, c := range sent {
		bytes = append(bytes, c.Data.V())
	}
	if f[1] != "bytes" && len(sent) == 0 {
		return fmt.Errorf("nothing was sent")
	}
	switch f[1] {
	case "bytes":
		return same(fmt.Sprintf("% X", bytes), strings.Join(f[2:], " "))
	case "format":
		s := sent[0].Format
		return same(fmt.Sprintf("%d%c%d", s.DataBits, map[periph.Parity]rune{0: 'N', periph.ParityEven: 'E', periph.ParityOdd: 'O'}[s.Parity],
			s.StopBits), f[2])
	case "ninth":
		var got []string
		for _, c := range sent {
			got = append(got, pick(c.Ninth, "1", "0"))
		}
		return same(strings.Join(got, " "), strings.Join(f[2:], " "))
	}
	lo, hi, err := interval(f[len(f)-1])
	if err != nil {
		return err
	}
	for i, c := range sent {
		var got uint64
		switch f[1] {
		case "frame":
			got = b.m.CycleAt(c.End) - b.m.CycleAt(c.Start)
		case "gap":
			if i == 0 {
				continue
			}
			got = b.m.CycleAt(c.Start) - b.m.CycleAt(sent[i-1].End)
		case "nanoseconds":
			got = (c.End - c.Start) / 1000
		default:
			return fmt.Errorf("unknown expectation")
		}
		if got < lo || got > hi {
			return fmt.Errorf("character %d: got %d", i, got)
		}
	}
	return nil
}

// samples is "MOMENT ...": when the ADC sampled.
func (b *bench) samples(rest string) error {
	for i, s := range strings.Fields(rest) {
		want, err := b.at(s)
		if err != nil {
			return err
		}
		if i >= len(b.sampled) {
			return fmt.Errorf("sampled %d times only", len(b.sampled))
		}
		if b.sampled[i] != want {
			return fmt.Errorf("sample %d: %+d cycles", i, int64(b.sampled[i])-int64(want))
		}
	}
	return nil
}

// notice is `"TEXT" [LABEL]`: said once, by the instruction at the label.
func (b *bench) notice(rest string) error {
	f := strings.SplitN(rest, `"`, 3)
	var got []Note
	for _, n := range b.notes {
		if strings.Contains(n.Text, f[1]) {
			got = append(got, n)
		}
	}
	if len(got) != 1 {
		return fmt.Errorf("it was said %d times; all notices: %+v", len(got), b.notes)
	}
	if label := strings.TrimSpace(f[2]); label != "" {
		s, err := b.symbol(label)
		if err != nil {
			return err
		}
		if got[0].PC != s.Addr/2 {
			return fmt.Errorf("PC is 0x%X, %s is 0x%X", got[0].PC*2, label, s.Addr)
		}
	}
	return nil
}

// contents is "ADDRESS == bytes".
func (b *bench) contents(rest string) error {
	addr, want, _ := strings.Cut(rest, " == ")
	from, err := number(addr)
	if err != nil {
		return err
	}
	var got []uint8
	for i := range len(strings.Fields(want)) {
		got = append(got, b.m.eeprom.Read(uint32(from)+uint32(i)))
	}
	return same(fmt.Sprintf("% X", got), want)
}

// slept is "N" or "N..M" cycles.
func (b *bench) slept(rest string) error {
	lo, hi, err := interval(rest)
	if err != nil {
		return err
	}
	if n := b.m.SleepCycles(); n < lo || n > hi {
		return fmt.Errorf("slept %d", n)
	}
	return nil
}
