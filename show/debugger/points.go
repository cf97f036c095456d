package debugger

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/mote"
	"motehound/study/travel"
)

// point is something that is stopped at.
type point struct {
	number int
	text   string
	watch  travel.Watch // one thing of it
	kind   travel.Kind
	vector int           // of interrupts: which one; 0 for all
	broken bool          // where something is found wrong
	when   *condition    // nil for always
	of     *job.Variable // that is watched
}

// condition is a variable compared with a number.
type condition struct {
	job.Variable
	op    string
	value int64
}

func (c *condition) holds(m *mote.Mote) bool {
	v, err := c.Read(m)
	if err != nil {
		return false
	}
	n := v.Int()
	switch c.op {
	case "==":
		return n == c.value
	case "!=":
		return n != c.value
	case "<":
		return n < c.value
	case "<=":
		return n <= c.value
	case ">":
		return n > c.value
	}
	return n >= c.value
}

// condition reads what stands behind "if".
func (d *Debugger) condition(text string) (*condition, error) {
	f := strings.Fields(text)
	if len(f) != 3 || !slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, f[1]) {
		return nil, fmt.Errorf("if %s: write VARIABLE == NUMBER, or with !=, <, <=, >, >= between", text)
	}
	n, err := strconv.ParseInt(f[2], 0, 64)
	if err != nil {
		return nil, fmt.Errorf("if %s: %q is no number", text, f[2])
	}
	v, err := d.run.Variable(f[0])
	if err != nil {
		return nil, err
	}
	return &condition{v, f[1], n}, nil
}

// add makes a point of what is watched.
func (d *Debugger) add(p point, text, when string) error {
	if when != "" {
		var err error
		if p.when, err = d.condition(when); err != nil {
			return err
		}
	}
	d.number++
	p.number, p.text = d.number, text
	d.points = append(d.points, &p)
	d.say("%d: %s", p.number, p.text)
	return nil
}

func (d *Debugger) breakAt(arg string) error {
	what, when, _ := strings.Cut(arg, " if ")
	first, rest, _ := strings.Cut(what, " ")
	everyone := []int{travel.Everyone}
	switch {
	case what == "":
		return errors.New("give a function, FILE:LINE, *ADDRESS, or frame, choice, interrupt, task, property")
	case first == "frame":
		return d.add(point{watch: travel.Watch{Frames: everyone}, kind: travel.Frame}, arg, when)
	case first == "choice":
		return d.add(point{watch: travel.Watch{Choices: true}, kind: travel.Choice}, arg, when)
	case first == "property":
		return d.add(point{broken: true}, arg, when)
	case first == "interrupt":
		p := point{watch: travel.Watch{Interrupts: everyone}, kind: travel.Interrupt}
		if rest != "" {
			v, err := d.run.Mote().Chip().Vector(rest)
			if err != nil {
				return err
			}
			p.vector = int(v)
		}
		return d.add(p, arg, when)
	case what == "task":
		return d.add(point{watch: travel.Watch{Tasks: everyone}, kind: travel.Task}, arg, when)
	case first == "task":
		what = rest
	}
	code, err := d.code(what)
	if err != nil {
		return err
	}
	return d.add(point{watch: travel.Watch{Code: code}}, arg, when)
}

// code finds instructions by a function's name, a line or an address, in all motes: their programs may differ.
func (d *Debugger) code(what string) (list []travel.Code, err error) {
	if hex, ok := strings.CutPrefix(what, "*"); ok {
		at, err := strconv.ParseUint(hex, 0, 32)
		if err != nil || at%2 != 0 {
			return nil, fmt.Errorf("%q is no address of an instruction: those are even numbers of bytes, such as *0x1c4", hex)
		}
		return []travel.Code{{Mote: travel.Everyone, PC: uint32(at / 2)}}, nil
	}
	file, text, isLine := strings.Cut(what, ":")
	number, failed := strconv.Atoi(text)
	if isLine && failed != nil {
		return nil, fmt.Errorf("%q: write FILE:LINE", what)
	}
	for i, m := range d.run.Motes() {
		if isLine {
			list = append(list, job.Codes(i, job.LineCode(m.Kind, file, number))...)
		} else {
			list = append(list, job.Codes(i, entries(m.Kind.Image, what))...)
		}
	}
	switch {
	case len(list) > 0:
		return list, nil
	case isLine:
		return nil, fmt.Errorf("no code belongs to line %d of %s", number, file)
	}
	names := phrase.NamesOf(d.run.Mote().Kind.Image.Functions(), func(f *function) string { return f.Name })
	return nil, fmt.Errorf("there is no function %q%s", what, phrase.DidYouMean(what, names))
}

func (d *Debugger) watch(arg string) error {
	what, when, _ := strings.Cut(arg, " if ")
	v, r, err := d.inRAM(strings.TrimSpace(what))
	if err != nil {
		return err
	}
	return d.add(point{watch: travel.Watch{Changes: []travel.Range{r}}, kind: travel.Write, of: &v}, "watch "+arg, when)
}

func (d *Debugger) listPoints(string) error {
	if len(d.points) == 0 {
		d.say("none: 'break' and 'watch' make some")
	}
	for _, p := range d.points {
		d.say("%d: %s", p.number, p.text)
	}
	return nil
}

func (d *Debugger) delete(arg string) error {
	if arg == "all" {
		d.points = nil
		return nil
	}
	n, err := strconv.Atoi(arg)
	i := slices.IndexFunc(d.points, func(p *point) bool { return err == nil && p.number == n })
	if i < 0 {
		return fmt.Errorf("there is no point %q: 'points' lists them", arg)
	}
	d.points = slices.Delete(d.points, i, i+1)
	return nil
}

// together is all points as one watch.
func (d *Debugger) together() (w travel.Watch) {
	for _, p := range d.points {
		w.Code = append(w.Code, p.watch.Code...)
		w.Changes = append(w.Changes, p.watch.Changes...)
		w.Interrupts = append(w.Interrupts, p.watch.Interrupts...)
		w.Frames = append(w.Frames, p.watch.Frames...)
		w.Tasks = append(w.Tasks, p.watch.Tasks...)
		w.Choices = w.Choices || p.watch.Choices
	}
	w.If = func(m *mote.Mote, h travel.Hit) bool { return d.hit(m, h) != nil }
	return w
}

// hit finds the point that a hit is of.
func (d *Debugger) hit(m *mote.Mote, h travel.Hit) *point {
	for _, p := range d.points {
		switch {
		case p.broken || p.kind != h.Kind, p.when != nil && !p.when.holds(m):
			continue
		case h.Kind == travel.AtCode && !slices.ContainsFunc(p.watch.Code, func(c travel.Code) bool {
			return c.PC == h.PC && (c.Mote == h.Mote || c.Mote == travel.Everyone)
		}):
			continue
		case h.Kind == travel.Write && (!p.covers(h) || p.of.Changes() != nil && !p.of.Changes()(m, h)), h.Kind == travel.Interrupt && p.vector != 0 && p.vector != int(h.Vector):
			continue
		}
		return p
	}
	return nil
}

func (p *point) covers(h travel.Hit) bool {
	return slices.ContainsFunc(p.watch.Changes, func(r travel.Range) bool { return r.Mote == h.Mote && h.Addr-r.Addr < r.Bytes })
}

func (d *Debugger) goOn(string) error    { return d.travel(d.run.Next, 1) }
func (d *Debugger) reverse(string) error { return d.travel(d.run.Previous, -1) }

// travel goes to the next point in a direction: one that is watched for, or where something is found wrong, whichever comes first.
func (d *Debugger) travel(move mover, sign int) error {
	if len(d.points) == 0 {
		p, bound := "end", "the run ends here"
		if sign < 0 {
			p, bound = "start", "the run begins here"
		}
		at, _ := d.parse(p)
		if err := d.run.Go(at, d.stop); err != nil {
			return err
		}
		d.say("%s", bound)
		return d.arrived()
	}
	from := d.run.Here()
	wrong, err := d.nextBroken(from, sign)
	if err != nil {
		return err
	}
	w := d.together()
	h, err := move(&w, d.stop)
	if err != nil && !errors.Is(err, travel.ErrNone) {
		return err
	}
	if wrong != nil && (err != nil || sign*h.Stop.Compare(wrong.At) > 0) {
		if err := d.run.Go(wrong.At.Point, d.stop); err != nil {
			return err
		}
		d.say("%s", document.BrokenText(&wrong.Violation))
		return d.arrived()
	}
	if err != nil {
		return d.ended(err)
	}
	d.tellHit(h)
	return d.arrived()
}

// tellHit says what was come to.
func (d *Debugger) tellHit(h travel.Hit) {
	m := d.run.Motes()[h.Mote]
	switch h.Kind {
	case travel.Frame:
		d.say("mote %d has sent a frame of %s", m.ID(), phrase.Counted(len(h.Frame.Bytes), "byte"))
	case travel.Choice:
		d.say("%s: answer %d of %d", h.Choice.Kind, h.Answer, h.Choice.Options)
	case travel.Task:
		d.say("task %s begins", h.Name)
	case travel.Interrupt:
		d.say("%s is served", m.Chip().VectorName(h.Vector))
	default:
		if p := d.hit(m, h); p != nil {
			d.say("%d: %s", p.number, p.text)
		}
		if h.Kind == travel.Write {
			d.say("the byte at 0x%04x is about to change from 0x%02x to 0x%02x", h.Addr, h.Old, h.New)
		}
	}
}
