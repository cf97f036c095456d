package export

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"motehound/observe/signals"
	"motehound/world"
)

// waves are the signals of motes on their way into a value change dump (IEEE 1364-2001, 18), which GTKWave shows. Motes run ahead of
// each other, so what they did is kept until the end and put in order then.
type waves struct {
	to      io.Writer
	w       *world.World
	signals *signals.Watcher
	motes   [][]signals.Change
	kept    int
	cut     uint64 // when no more was kept, in picoseconds; 0 if all was
}

// maxWaves is how many changes are kept, of all motes: somewhat more than a gigabyte.
const maxWaves = 1 << 25

// recordVCD has pads, lights, port registers, handlers and the named variables of a world written as a dump.
func recordVCD(w *world.World, to io.Writer, vars [][]string) (done func() error, err error) {
	x := &waves{to: to, w: w, motes: make([][]signals.Change, len(w.Motes()))}
	kinds := []signals.Kind{signals.Pad, signals.LED, signals.Register, signals.Interrupt, signals.Variable}
	x.signals, err = signals.Watch(w, signals.Options{Kinds: kinds, Variables: vars}, x.keep)
	return x.write, err
}

func (x *waves) keep(c signals.Change) {
	if x.kept == maxWaves {
		if x.cut == 0 {
			x.cut = max(c.PS, 1)
		}
		return
	}
	x.kept++
	x.motes[c.Mote] = append(x.motes[c.Mote], c)
}

// write puts all in order and writes it.
func (x *waves) write() error {
	x.signals.Close()
	var all []signals.Change
	for _, list := range x.motes {
		all = append(all, list...)
	}
	slices.SortStableFunc(all, func(a, b signals.Change) int { return cmp.Compare(a.PS/1000, b.PS/1000) })
	out := bufio.NewWriterSize(x.to, 1<<16)
	base := x.declare(out)
	last := uint64(0)
	for n, c := range all {
		if ns := c.PS / 1000; n == 0 || ns != last {
			last = ns
			fmt.Fprintf(out, "#%d\n", ns)
		}
		writeValue(out, x.signals.Signals(c.Mote)[c.Signal], c.Value, codeOf(base[c.Mote]+c.Signal))
	}
	if x.cut != 0 {
		fmt.Fprintf(out, "$comment after %d ns changes are left out: there are too many to keep $end\n", x.cut/1000)
	}
	if end := x.w.Now() / 1000; end > last {
		fmt.Fprintf(out, "#%d\n", end)
	}
	return out.Flush()
}

// scopes names the kinds of signals.
var scopes = map[signals.Kind]string{signals.Pad: "pins", signals.LED: "leds", signals.Register: "ports", signals.Interrupt: "interrupts", signals.Variable: "variables"}

// declare writes the header. Base is the number of each mote's first signal.
func (x *waves) declare(out *bufio.Writer) (base []int) {
	fmt.Fprintf(out, "$version motehound $end\n$timescale 1 ns $end\n")
	next := 0
	for i := range x.motes {
		base = append(base, next)
		fmt.Fprintf(out, "$scope module %s $end\n", wireName(signals.MoteName(x.w, i)))
		list := x.signals.Signals(i)
		for n, s := range list {
			if n == 0 || list[n-1].Kind != s.Kind {
				fmt.Fprintf(out, "$scope module %s $end\n", scopes[s.Kind])
			}
			code := codeOf(next + n)
			switch {
			case s.Real:
				fmt.Fprintf(out, "$var real 64 %s %s $end\n", code, wireName(s.Name))
			case s.Width == 1:
				fmt.Fprintf(out, "$var wire 1 %s %s $end\n", code, wireName(s.Name))
			default:
				fmt.Fprintf(out, "$var wire %d %s %s [%d:0] $end\n", s.Width, code, wireName(s.Name), s.Width-1)
			}
			if n == len(list)-1 || list[n+1].Kind != s.Kind {
				out.WriteString("$upscope $end\n")
			}
		}
		out.WriteString("$upscope $end\n")
		next += len(list)
	}
	out.WriteString("$enddefinitions $end\n")
	return base
}

func writeValue(out *bufio.Writer, s signals.Signal, v signals.Value, code string) {
	switch {
	case s.Real:
		fmt.Fprintf(out, "r%s %s\n", strconv.FormatFloat(v.Real, 'g', 17, 64), code)
	case s.Width == 1:
		fmt.Fprintf(out, "%d%s\n", v.Int&1, code)
	default:
		bits := uint64(v.Int)
		if s.Width < 64 {
			bits &= 1<<s.Width - 1
		}
		fmt.Fprintf(out, "b%s %s\n", strconv.FormatUint(bits, 2), code)
	}
}

// codeOf is the short name of a signal: printable characters, as a number to the base 94.
func codeOf(n int) string {
	b := []byte{}
	for {
		b = append(b, byte('!'+n%94))
		if n = n/94 - 1; n < 0 {
			return string(b)
		}
	}
}

// wireName is a name without what separates names in a dump.
func wireName(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, name), "_")
}
