package hunt

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"motehound/job"
	"motehound/job/document"
	covers "motehound/observe/coverage"
)

// Engines are what a hunt can use, in the order in which they begin.
var Engines = []string{engineRun, engineCheck, engineFuzz, engineMine, engineModel, engineSymbolic}

const (
	engineRun      = "run"
	engineCheck    = "check"
	engineFuzz     = "fuzz"
	engineMine     = "mine"
	engineModel    = "model"
	engineSymbolic = "symbolic"
)

// trial is an engine on a network.
type trial struct {
	engine, network string
	do              func(context.Context, job.Host, slice) (*outcome, error)
	first           uint64 // events of its first slice
	weight          int    // how much of what is left it gets, whatever it gains; 1 if 0
	may             bool   // it may fail: then it gives nothing

	slices int
	cuts   int // that gave nothing, for want of time
	events uint64
	time   time.Duration
	lines  int
	found  int
	rate   float64 // of gain, lately
	done   bool
	note   string
	// open is the last slice, if it ended before something was decided that it had found: the next one goes on with it.
	open *slice
}

// slice is one turn of a trial.
type slice struct {
	number int           // from 0
	events uint64        // about how many
	budget time.Duration // of the host's time, at most; 0 for no limit
	seed   uint64
	out    string      // a folder for its recipes
	benign []string    // races that are known by now
	from   *job.Moment // where it starts; nil for the beginning
	again  int         // how often it was gone on with
	doubts []string    // that it has left, and more time could decide
}

// outcome is what a slice gave.
type outcome struct {
	events   uint64
	sights   []sight
	covered  []covers.File
	done     bool // there is nothing more to gain
	inputs   uint64
	orders   uint64 // of events that were tried
	listens  []string
	doubtful []string
	open     bool // more time could decide what is doubtful
}

// engines are those that were asked for.
func (x *hunt) engines() []string {
	if x.Engines == nil {
		return Engines
	}
	return x.Engines
}

// add plans a trial, if its engine is wanted.
func (x *hunt) add(t trial) {
	if slices.Contains(x.engines(), t.engine) {
		x.trials = append(x.trials, &t)
	}
}

// plan makes the trials: the scenario as it is, or the firmware alone and in small networks, with what it listens to.
func (x *hunt) plan() {
	if x.about.Scenario {
		const own = "the scenario"
		solve := trial{engine: engineSymbolic, network: own, do: x.symbolic(x.World), may: true}
		if x.about.Unknown { // it is what the scenario is for
			x.add(solve)
		}
		x.network(own, x.World)
		if x.about.Faults && !x.about.Unknown {
			x.add(solve)
		}
		x.add(trial{engine: engineMine, network: own, do: x.mine(x.World, x.about.IDs), may: true})
		if list := groups(x.about.Builds); list != nil {
			x.add(trial{engine: engineModel, network: own, do: x.model(x.World, list), may: true})
		}
		return
	}
	alone := x.World
	x.network(motes(alone.Nodes), alone)
	x.outside()
	if x.about.Radio && x.World.Nodes == 1 {
		for _, n := range []int{2, 3} {
			w := x.World
			w.Nodes = n
			x.network(motes(n), w)
		}
		w := x.World
		w.Nodes, w.FirstID = 3, max(0, w.FirstID)
		ids := []int{w.FirstID, w.FirstID + 1, w.FirstID + 2}
		x.add(trial{engine: engineMine, network: motes(w.Nodes), do: x.mine(w, ids), may: true})
		x.add(trial{engine: engineModel, network: motes(w.Nodes), do: x.model(w, []document.Built{{Motes: ids}}), may: true})
	}
}

// outside plans what comes in from outside, unless the user says it. A pin for which an interrupt waits is meant to be used; a serial line may only be for what is printed.
func (x *hunt) outside() {
	if len(x.SerialIn)+len(x.Buttons)+len(x.Frames) > 0 {
		return
	}
	for _, pin := range x.about.Pins {
		w := x.World
		w.Buttons = []string{pin}
		x.checked(fmt.Sprintf("%s, button at %s", motes(w.Nodes), pin), w, 6)
	}
	if x.about.Serial {
		for _, text := range x.typed() {
			w := x.World
			w.SerialIn = []string{text}
			x.checked(fmt.Sprintf("%s, typed %q", motes(w.Nodes), text), w, 1)
		}
		if text := x.held(); text != "" {
			w := x.World
			w.SerialIn = []string{text}
			x.add(trial{engine: engineRun, network: motes(w.Nodes) + ", keys held down", do: x.run(w)})
		}
		w := x.World
		w.SerialIn = []string{"any:8"}
		x.add(trial{engine: engineSymbolic, network: motes(w.Nodes) + ", 8 unknown bytes", do: x.symbolic(w), may: true})
	}
}

// mostLetters is how many characters of the code are tried.
const mostLetters = 12

// typed is texts that somebody might type: something usual, and what the code compares with.
func (x *hunt) typed() []string {
	list := []string{"hello 1\n"}
	if n := len(x.about.Letters); n > 0 && n <= mostLetters {
		list = append(list, strings.ReplaceAll(string(x.about.Letters), `\`, `\\`)+"1\n")
	}
	return list
}

// held is what comes of a cat on the keyboard: each character that the code knows, very often.
func (x *hunt) held() string {
	const often = 100
	var b strings.Builder
	for _, c := range x.about.Letters[:min(mostLetters, len(x.about.Letters))] {
		fmt.Fprintf(&b, "%s\n", strings.Repeat(fmt.Sprintf(`\x%02x`, c), often))
	}
	return b.String()
}

func motes(n int) string {
	if n == 1 {
		return "1 mote"
	}
	return fmt.Sprintf("%d motes", n)
}

// network plans all engines on a network.
func (x *hunt) network(name string, w job.World) {
	x.add(trial{engine: engineRun, network: name, do: x.run(w)})
	share := 1
	if w.Nodes == 1 && len(x.about.Pins) == 0 { // it goes furthest: a scenario, or a mote alone that waits for nobody to press a button
		share = 2
	}
	look := trial{engine: engineCheck, network: name, do: x.check(w, false), first: 40_000, weight: 2 * share}
	if x.about.Goals { // that one is lost takes long to tell
		look.first, look.weight = 300_000, 4*share
	}
	x.add(look)
	x.add(trial{engine: engineFuzz, network: name, do: x.fuzz(w), first: 30_000, weight: 3 * share})
}

// checked plans what is affected by input from outside.
func (x *hunt) checked(name string, w job.World, weight int) {
	x.add(trial{engine: engineRun, network: name, do: x.run(w)})
	x.add(trial{engine: engineCheck, network: name, do: x.check(w, true), first: 20_000, weight: weight})
}

// next is the trial whose turn it is: each once, in order; then those that have something to decide; then by turns the one that gains most, and the one that had
// least of its share.
func (x *hunt) next() *trial {
	var best *trial
	turns := 0
	for _, t := range x.trials {
		turns += t.slices
	}
	better := func(a, b *trial) bool {
		switch {
		case a.slices == 0 || b.slices == 0:
			return a.slices == 0 && b.slices != 0
		case a.open != nil || b.open != nil:
			return a.open != nil && b.open == nil
		case turns%2 == 0:
			return a.spent(x) < b.spent(x)
		case a.rate != b.rate:
			return a.rate > b.rate
		}
		return a.spent(x) < b.spent(x)
	}
	for _, t := range x.trials {
		if !t.done && (best == nil || better(t, best)) {
			best = t
		}
	}
	return best
}

// spent is what a trial has cost so far, for its weight.
func (t *trial) spent(x *hunt) float64 { return x.cost(t.events, t.time) / float64(max(1, t.weight)) }

// took notes what a slice has cost and given.
func (t *trial) took(o *outcome, took time.Duration) {
	t.slices++
	t.events += o.events
	t.time += took
	t.done = t.done || o.done
}

// cut notes that a turn ended before it gave anything. Its next turn is longer; but three of them are enough.
func (t *trial) cut(took time.Duration) {
	t.slices++
	t.time += took
	t.rate /= 2
	t.open = nil
	if t.cuts++; t.cuts == 3 {
		t.note, t.done = "it takes longer than the time that it had", true
	}
}

// gain notes how much a slice was worth for its cost. Earlier slices count less and less.
func (t *trial) gain(worth int, cost float64) { t.rate = t.rate/2 + float64(worth)/cost/2 }

// slice is the next turn of a trial. Each is twice as long as the one before, so that the last one is about half of all; where time is
// short, it is as long as a part of the time that is left.
func (x *hunt) slice(t *trial) slice {
	const longest = 8 << 20
	if t.open != nil {
		s := *t.open
		s.again, s.budget = s.again+1, (x.trying()-x.now())/2
		return s
	}
	s := slice{number: t.slices, events: min(max(t.first, 1)<<min(t.slices, 20), longest), seed: job.UsualSeed + uint64(t.slices)}
	if x.Seed != nil {
		s.seed = *x.Seed + uint64(t.slices)
	}
	if x.Total > 0 {
		s.events = min(s.events, x.Total-x.spent)
	}
	if x.Budget > 0 {
		s.budget = x.part(t)
	}
	s.benign = slices.Clone(x.Benign)
	for _, c := range x.causes {
		if c.Variable != "" && s.number > 0 {
			s.benign = append(s.benign, c.Variable)
		}
	}
	s.out = filepath.Join(x.work, fmt.Sprintf("%d-%d", slices.Index(x.trials, t), t.slices))
	return s
}

// part is how much of the time that is left a trial may take: of the first half of the budget all that had no turn yet get something, by their weights. Later
// ones may take a quarter of what is left.
func (x *hunt) part(t *trial) time.Duration {
	const least = time.Second
	left := x.trying() - x.now()
	if t.slices > 0 {
		return max(least, left/4)
	}
	waiting := 0
	for _, other := range x.trials {
		if other.slices == 0 && !other.done {
			waiting += max(1, other.weight)
		}
	}
	return max(least, (left-x.trying()/2)*time.Duration(max(1, t.weight))/time.Duration(max(1, waiting)))
}

// document is the trial for a report.
func (t *trial) document() *document.HuntTrial {
	return &document.HuntTrial{Engine: t.engine, Network: t.network, Slices: t.slices, Events: t.events, Findings: t.found, Lines: t.lines, Done: t.done,
		Note: t.note, TimeS: t.time.Seconds()}
}
