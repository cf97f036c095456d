package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"motehound/study/finding"
	"motehound/study/guide/input"
)

// Port is where a system takes input that somebody makes up.
type Port struct {
	Mote   int16 `json:"mote"`
	Number uint8 `json:"number"` // of the USART, the channel or the pin
	input.Place
}

// MadeInput is something made up that comes in at a port.
type MadeInput struct {
	Mote   int16      `json:"mote"` // less than 0, of what comes by Refeed: any that listens
	Kind   input.Kind `json:"kind"`
	Number uint8      `json:"number"`
	Data   []byte     `json:"data"`
}

// Feeder is a System that takes made-up inputs. Enabled does not list them, as they are too many. The event with which one comes names it by
// its contents (Made), so the same event means the same in every state, and leaving one out of a trace changes no other.
type Feeder interface {
	// Open appends the ports at which the firmware looks for input now, or would be interrupted by it, and has room for it.
	Open(dst []Port) []Port
	// Feed gives the event with which an input comes. Systems that are clones of each other know it from then on.
	Feed(in MadeInput) Event
	// Fits reports whether an event of Feed can be fired now.
	Fits(Event) bool
	// Content is what an event of Feed brings.
	Content(Event) (MadeInput, bool)
	// Drop says that somebody who called Feed no longer needs the event.
	Drop(Event)
}

// Comparer is a Feeder that can tell which values the firmware compares. To do so takes time.
type Comparer interface {
	// Compare says whether to note them. Clones do not inherit it.
	Compare(on bool)
	// Compared appends those that were noted, each once, and forgets them.
	Compared(dst []input.Pair) []input.Pair
}

// MadeUp is the first Source of inputs that somebody has made up.
const MadeUp = 0x100

// Made reports whether the event brings an input that somebody has made up. Its Serial says which.
func (e Event) Made() bool { return e.Class == Input && e.Source >= MadeUp }

// inputsOf lists the made-up inputs of a trace, each once, in the order in which they come first.
func inputsOf(s System, trace []Event) []MadeInput {
	f, ok := s.(Feeder)
	if !ok {
		return nil
	}
	var list []MadeInput
	seen := make(map[Event]bool)
	for _, e := range trace {
		if !e.Made() || seen[e] {
			continue
		}
		seen[e] = true
		if in, ok := f.Content(e); ok {
			list = append(list, in)
		}
	}
	return list
}

// Give makes inputs known to a system, so that a trace with them can be followed.
func Give(s System, list []MadeInput) {
	if f, ok := s.(Feeder); ok {
		for _, in := range list {
			f.Feed(in)
		}
	}
}

// feeding makes up the inputs of a walk. They come when nothing else is to be done at once: when the mote that gets one would sleep, or
// wait in a loop. A message on a serial line comes byte by byte, as the firmware takes them.
type feeding struct {
	sys    Feeder // nil if nothing is made up
	pace   Pacer
	rng    *rand.Rand
	writer *input.Writer
	often  int // a message comes at one moment of so many at which one could
	port   Port
	rest   []byte // of the message that is coming in
	shut   int    // for how many events its port has not been open
	open   []Port
	pairs  []input.Pair
	made   []Event
	inputs uint64 // messages so far that the meter does not have
	hold   bool   // no other message begins
	quiet  bool   // the last event that was chosen comes some time later: nothing is to be done
	// script is what comes, one after the other, if the inputs are scripted and not made up.
	script   []MadeInput
	scripted bool
}

func newFeeding(sys System, from *input.Source, rng *rand.Rand) *feeding {
	n := &feeding{rng: rng}
	f, ok := sys.(Feeder)
	p, paced := sys.(Pacer)
	if ok && paced && from != nil {
		n.sys, n.pace, n.writer = f, p, from.Writer(rng)
	}
	n.change()
	return n
}

// change draws how often messages come.
func (n *feeding) change() { n.often = 1 << n.rng.IntN(7) }

// madeSalt gives inputs random numbers of their own.
const madeSalt = 0x6d616465_75702121

// calmed is a strategy for a walk with made-up inputs: most of them keep to the natural order.
func (n *feeding) calmed(g *strategy) *strategy {
	const seldom = 8
	if n.sys == nil || g == nil || n.rng.IntN(seldom) == 0 {
		return g
	}
	return g.settled()
}

// meter books how many messages came.
func (n *feeding) meter(m *Meter) {
	m.inputs.Add(n.inputs)
	n.inputs = 0
}

// done books what the walk was fed, and keeps what its findings and those who learn from it need.
func (n *feeding) done(m *Meter, out *outcome) {
	if n.sys == nil {
		return
	}
	n.meter(m)
	needed := make(map[Event]bool)
	need := func(trace []Event) []MadeInput {
		for _, e := range trace {
			if e.Made() {
				needed[e] = true
			}
		}
		return inputsOf(n.sys.(System), trace)
	}
	for i := range out.hits {
		h := &out.hits[i]
		trace := h.trace
		if trace == nil {
			trace = out.trace[:h.length]
		}
		h.inputs = need(trace)
	}
	if l := out.lesson; l != nil {
		for _, p := range l.Places {
			l.Inputs = append(l.Inputs, framesOf(need(p.Events))...)
		}
	}
	for _, e := range n.made {
		if !needed[e] {
			n.sys.Drop(e)
		}
	}
}

// framesOf is the inputs that their events do not spell out.
func framesOf(list []MadeInput) []MadeInput {
	return slices.DeleteFunc(list, func(in MadeInput) bool { return in.Kind != input.Air })
}

// keep says that something new came of what was fed last.
func (n *feeding) keep() {
	if n.writer != nil {
		n.writer.Keep()
	}
}

// anew begins another trip: of a message that was coming in nothing more comes.
func (n *feeding) anew() {
	n.rest = nil
	n.change()
}

// instead gives the input that comes instead of the event that was chosen, or that event. Something may be chosen that takes no time: then it comes first.
func (n *feeding) instead(e Event, chosen bool) (Event, bool) {
	const longest = 256
	n.quiet = false
	if n.sys == nil || chosen && (e.Class > Task || n.pace.Due(e) <= n.pace.Clock(e.Mote)) {
		return e, chosen
	}
	const while = 2_000_000_000 // picoseconds
	n.quiet = !chosen || n.pace.Due(e) > n.pace.Clock(e.Mote)+while
	if len(n.rest) == 0 {
		if n.hold || chosen && n.rng.IntN(n.often) > 0 || !n.begin() {
			return e, chosen
		}
	} else {
		n.open = n.sys.Open(n.open[:0])
	}
	if !slices.Contains(n.open, n.port) {
		if n.shut++; n.shut > longest || !chosen {
			n.rest = nil
		}
		return e, chosen
	}
	if x, ok := n.next(); ok {
		n.quiet = false // what it causes is to be done
		return x, true
	}
	n.rest = nil
	return e, chosen
}

// begin begins a message at a port that is open, if there is one.
func (n *feeding) begin() bool {
	if n.open = n.sys.Open(n.open[:0]); len(n.open) == 0 {
		return false
	}
	if n.scripted {
		return n.read()
	}
	n.port = n.draw()
	n.rest, n.shut = n.writer.Next(n.port.Place), 0
	if len(n.rest) == 0 {
		return false
	}
	n.inputs++
	return true
}

// read begins the next message of the script, if its port is open.
func (n *feeding) read() bool {
	if len(n.script) == 0 {
		return false
	}
	in := n.script[0]
	at := slices.IndexFunc(n.open, func(p Port) bool {
		return p.Kind == in.Kind && (in.Mote < 0 || p.Mote == in.Mote && p.Number == in.Number)
	})
	if at < 0 {
		return false
	}
	n.port, n.rest, n.shut, n.script = n.open[at], in.Data, 0, n.script[1:]
	n.inputs++
	return len(n.rest) > 0
}

// draw draws a port: first what kind of port, so that many sensors are no more than one radio.
func (n *feeding) draw() Port {
	var kinds [input.NumKinds][]Port
	some := 0
	for _, p := range n.open {
		if len(kinds[p.Kind]) == 0 {
			some++
		}
		kinds[p.Kind] = append(kinds[p.Kind], p)
	}
	at := n.rng.IntN(some)
	for _, list := range kinds {
		if len(list) == 0 {
			continue
		}
		if at == 0 {
			return list[n.rng.IntN(len(list))]
		}
		at--
	}
	panic("BUG: ports that are open are gone")
}

// next brings the next part of the message, if it can come now.
func (n *feeding) next() (Event, bool) {
	in := MadeInput{Mote: n.port.Mote, Kind: n.port.Kind, Number: n.port.Number, Data: n.rest}
	if n.port.Kind == input.Serial && len(n.rest) > 0 {
		in.Data = n.rest[:1]
	}
	n.rest = n.rest[len(in.Data):]
	x := n.sys.Feed(in)
	n.made = append(n.made, x)
	return x, n.sys.Fits(x) && strain(n.pace, x, nil) == 0
}

// simplify makes what was made up simpler: frames shorter, and bytes zero.
func (m *shrinker) simplify() error {
	f, ok := m.marks[0].sys.(Feeder)
	if !ok || m.reached == nil {
		return nil
	}
	for at := len(m.best) - 1; at >= 0; at-- {
		at = min(at, len(m.best)-1)
		if !m.best[at].Made() {
			continue
		}
		in, ok := f.Content(m.best[at])
		if !ok {
			continue
		}
		if err := m.simpler(f, at, in); err != nil || m.spent() {
			return err
		}
	}
	return nil
}

// simpler makes one input simpler.
func (m *shrinker) simpler(f Feeder, at int, in MadeInput) error {
	try := func(data []byte) error {
		was := m.best[at]
		x := in
		x.Data = data
		e := f.Feed(x)
		if e == was {
			return nil
		}
		ok, err := m.exchange(at, e)
		if ok {
			in = x
			f.Drop(was)
		} else {
			f.Drop(e)
		}
		return err
	}
	if in.Kind == input.Air {
		for size := len(in.Data) / 2; size > 0; size /= 2 {
			for end := len(in.Data); end >= size && !m.spent(); end = min(end-size, len(in.Data)) {
				if err := try(slices.Delete(slices.Clone(in.Data), end-size, end)); err != nil || at >= len(m.best) {
					return err
				}
			}
		}
	}
	for i := 0; i < len(in.Data) && !m.spent(); i++ {
		if in.Data[i] == 0 {
			continue
		}
		data := slices.Clone(in.Data)
		data[i] = 0
		if err := try(data); err != nil || at >= len(m.best) {
			return err
		}
	}
	return nil
}

// exchange tries another event in place of one of best.
func (m *shrinker) exchange(at int, e Event) (bool, error) {
	trace, ok, err := m.attempt(at, append([]Event{e}, m.best[at+1:]...))
	if err != nil || !ok || len(trace) > len(m.best) {
		return false, err
	}
	minimal := m.minimal && len(trace) == len(m.best)
	m.accept(trace, at)
	m.minimal = minimal
	return true, nil
}

// recall takes what the log knows of an earlier run.
func (r *runner) recall() {
	r.catalog, r.final = r.o.Log.findings()
	if p := r.o.part; p != nil {
		for _, f := range p.Known {
			r.catalog.add(f)
		}
	}
	for _, f := range r.catalog.list() {
		Give(r.base, f.Inputs)
	}
}

// Listens finds out where a system takes input, in a run in the natural order of so many events, and lists it for people. If stop ends it, the list
// has what was seen until then.
func Listens(base System, events int, seed uint64, stop func() bool) ([]string, error) {
	sys := base.Clone()
	defer sys.Release()
	track(sys, false)
	f, ok := sys.(Feeder)
	if !ok {
		return nil, nil
	}
	choose := chooser{rng: generator(seed, 1<<61)}
	var strategy *strategy
	if g := newStrategy(sys, choose.rng); g != nil {
		strategy = g.settled()
	}
	var list []string
	var enabled []Event
	var open []Port
	for n := 0; n < events && !stop(); n++ {
		open = f.Open(open[:0])
		for _, p := range open {
			if text := p.text(sys); !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
		enabled = sys.Enabled(enabled[:0])
		if strategy != nil {
			enabled = strategy.among(enabled)
		}
		e, ok := choose.natural(enabled)
		if !ok {
			break
		}
		step, err := fire(sys, e)
		if err != nil {
			return nil, err
		}
		if finding.Harmful(step.Violations) {
			break
		}
	}
	slices.Sort(list)
	return list, nil
}

// text names a port for people.
func (p Port) text(sys System) string {
	where := strings.TrimPrefix(whose(sys, p.Mote), " on ")
	switch p.Kind {
	case input.Serial:
		return fmt.Sprintf("%s, serial line %d", where, p.Number)
	case input.Air:
		return where + ", radio"
	case input.Sensor:
		return fmt.Sprintf("%s, channel %d", where, p.Number)
	}
	return fmt.Sprintf("%s, pin %d", where, p.Number)
}
