package debugger

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/job"
	"motehound/job/phrase"
	"motehound/study/travel"
	"motehound/world"
)

type function = image.Function

// nextBroken is the next thing in a direction that is wrong, if there is a point for that.
func (d *Debugger) nextBroken(from travel.Stop, sign int) (*job.Broken, error) {
	if !slices.ContainsFunc(d.points, func(p *point) bool { return p.broken }) {
		return nil, nil
	}
	list, err := d.run.Broken(d.stop)
	if err != nil {
		return nil, err
	}
	var best *job.Broken
	for i := range list {
		x := &list[i]
		if sign*x.At.Point.Compare(from.Point) > 0 && (best == nil || sign*x.At.Compare(best.At) < 0) {
			best = x
		}
	}
	return best, nil
}

func (d *Debugger) who(arg string) error { return d.written(arg, false) }

func (d *Debugger) changed(arg string) error { return d.written(arg, true) }

// written says who wrote to a variable.
func (d *Debugger) written(arg string, changed bool) error {
	h, err := d.run.Written(arg, changed, d.stop)
	return d.tellWrite(arg, h, err)
}

// tellWrite says who wrote to a variable.
func (d *Debugger) tellWrite(name string, h travel.Hit, err error) error {
	if errors.Is(err, travel.ErrNone) {
		d.say("nobody has written %s before", name)
		return nil
	}
	if err != nil {
		return err
	}
	m := d.run.Motes()[h.Mote]
	d.say("%s, mote %d, %s", d.run.Moment(h.Point), m.ID(), place(m, h.PC))
	if text, ok := d.sourceLine(m, h.PC); ok {
		d.say("    %s", strings.TrimSpace(text))
	}
	if h.Kind == travel.Interrupt {
		d.say("    the return address of a handler overwrites it: the stack has grown into it")
		return nil
	}
	d.say("    0x%04x: 0x%02x -> 0x%02x", h.Addr, h.Old, h.New)
	return nil
}

// hows are how a byte went on its way.
var hows = map[travel.How]string{
	travel.Stored: "stored", travel.Loaded: "copied from", travel.Computed: "made here", travel.Constant: "a constant of the program", travel.Heard: "came in",
	travel.Outside: "came from a device", travel.Sent: "sent", travel.Initial: "there since the mote was switched on",
}

func (d *Debugger) origin(arg string) error {
	v, r, err := d.inRAM(arg)
	if err != nil {
		return err
	}
	way, err := d.run.Origin(v.Mote, r.Addr, d.stop)
	if err != nil {
		return err
	}
	if r.Bytes > 1 {
		d.say("of its first byte:")
	}
	for n, l := range way {
		d.tellLink(l)
		if l.How == travel.Heard && n+1 < len(way) {
			d.tellFrame(way[n+1], l)
		}
	}
	return nil
}

// tellFrame says which frame brought a byte from where it was sent to where it came in.
func (d *Debugger) tellFrame(sent, heard travel.Link) {
	var f *world.Frame
	watch := &travel.Watch{Frames: []int{sent.Mote}}
	until := heard.Point
	if until.Event == 0 { // some radios hand bytes over while the frame is on the air
		until.Time += world.Second / 5
	}
	err := d.run.Between(sent.Point, until, watch, func(h travel.Hit) {
		if f == nil && (until.Event > 0 || h.Frame.Start <= heard.Time) {
			f = h.Frame
		}
	}, d.stop)
	if err == nil && f != nil {
		d.say("    in a frame of %s from mote %d", phrase.Counted(len(f.Bytes), "byte"), d.run.Motes()[sent.Mote].ID())
	}
}

// tellLink says a part of a byte's way.
func (d *Debugger) tellLink(l travel.Link) {
	m := d.run.Motes()[l.Mote]
	text := hows[l.How]
	switch l.How {
	case travel.Stored, travel.Loaded:
		text += " " + d.nameOf(l.Mote, l.Addr)
	case travel.Heard, travel.Sent, travel.Outside:
		text += " through " + m.Chip().RegisterName(l.Addr)
	case travel.Initial:
		d.say("mote %d: %s is %s", m.ID(), d.nameOf(l.Mote, l.Addr), text)
		return
	}
	d.say("%s, mote %d, %s: %s", d.run.Moment(l.Point), m.ID(), place(m, l.PC), text)
	if line, ok := d.sourceLine(m, l.PC); ok {
		d.say("    %s", strings.TrimSpace(line))
	}
}

// nameOf is what is at an address: a variable and how far behind its beginning, or a place on the stack.
func (d *Debugger) nameOf(i int, addr uint16) string {
	im := d.run.Motes()[i].Kind.Image
	if s, ok := im.ScalarAt(uint32(addr)); ok {
		return s.Name
	}
	if s, ok := im.ObjectAt(uint32(addr)); ok {
		return fmt.Sprintf("%s+%d", s.Name, uint32(addr)-s.Addr)
	}
	return fmt.Sprintf("0x%04x", addr)
}

// happened is something between two points.
type happened struct {
	travel.Stop
	text string
}

// all lists what happened between two points: interrupts and frames; of an explored run its events.
func (d *Debugger) all(from, to travel.Point) (list []happened, err error) {
	if d.run.Explored() {
		for n := from.Event; n <= min(to.Event, len(d.run.Beats)); n++ {
			b := d.run.Beats[n-1]
			list = append(list, happened{travel.Stop{Point: travel.Point{Event: n}, Mote: int(b.Event.Mote)}, strings.Join(append([]string{b.Title}, b.Notes...), ", ")})
		}
		return list, nil
	}
	watch := &travel.Watch{Interrupts: []int{travel.Everyone}, Frames: []int{travel.Everyone}}
	err = d.run.Between(from, to, watch, func(h travel.Hit) {
		text := d.run.Motes()[h.Mote].Chip().VectorName(h.Vector)
		if h.Kind == travel.Frame {
			text = "has sent a frame of " + phrase.Counted(len(h.Frame.Bytes), "byte")
		}
		list = append(list, happened{h.Stop, text})
	}, d.stop)
	slices.SortStableFunc(list, func(a, b happened) int { return a.Stop.Compare(b.Stop) })
	return list, err
}

// longestList is how many things are shown at once.
const longestList = 200

// show lists what happened, with a mark where one is.
func (d *Debugger) show(list []happened) {
	here, marked := d.run.Here(), false
	mark := func() { d.say("%s <== here", strings.Repeat("-", 12)); marked = true }
	for n, x := range list {
		if n == longestList {
			d.say("... and %d more", len(list)-n)
			break
		}
		if !marked && x.Point.Compare(here.Point) >= 0 {
			mark()
		}
		when := fmt.Sprintf("event %d", x.Event)
		if x.Event == 0 {
			when = d.run.Moment(x.Point)
		}
		d.say("%-12s mote %-5d %s", when, d.run.Motes()[x.Mote].ID(), x.text)
	}
	switch {
	case len(list) == 0:
		d.say("nothing")
	case !marked && len(list) <= longestList:
		mark()
	}
}

func (d *Debugger) between(arg string) error {
	f := strings.Fields(arg)
	if len(f) != 2 {
		return errors.New("give two moments")
	}
	from, err := d.parse(f[0])
	if err != nil {
		return err
	}
	to, err := d.parse(f[1])
	if err != nil {
		return err
	}
	list, err := d.all(from, to)
	if err != nil {
		return err
	}
	d.show(list)
	return nil
}

func (d *Debugger) timeline(arg string) error {
	here := d.run.Here().Point
	first, last := d.run.Bounds()
	from, to := here, here
	if d.run.Explored() {
		n := 5
		if arg != "" {
			var err error
			if n, err = count(arg); err != nil {
				return err
			}
		}
		from, to = travel.Point{Event: max(here.Event-n, first.Event)}, travel.Point{Event: min(here.Event+n, last.Event)}
	} else {
		span := uint64(10 * world.Millisecond)
		if arg != "" {
			p, err := d.parse(strings.TrimLeft(arg, "+-"))
			if err != nil {
				return err
			}
			span = p.Time
		}
		from.Time -= min(from.Time, span)
		to.Time = min(to.Time+span, last.Time)
	}
	list, err := d.all(from, to)
	if err != nil {
		return err
	}
	d.show(list)
	return nil
}

func (d *Debugger) events(string) error {
	if !d.run.Explored() {
		return errors.New("a run of time has no numbered events: 'timeline' and 'between' tell what happened")
	}
	first, last := d.run.Bounds()
	list, err := d.all(first, last)
	if err != nil {
		return err
	}
	d.show(list)
	return nil
}

func (d *Debugger) choices(string) error {
	first, _ := d.run.Bounds()
	here := d.run.Here().Point
	n := 0
	err := d.run.Between(first, here, &travel.Watch{Choices: true}, func(h travel.Hit) {
		if n++; n <= longestList {
			d.say("%s, mote %d: %s, answer %d of %d", d.run.Moment(h.Point), d.run.Motes()[h.Mote].ID(), h.Choice.Kind, h.Answer, h.Choice.Options)
		}
	}, d.stop)
	if n == 0 && err == nil {
		d.say("nothing was uncertain up to here")
	}
	if n > longestList {
		d.say("... and %d more", n-longestList)
	}
	return err
}
