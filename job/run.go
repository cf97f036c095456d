package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/mote/periph"
	"motehound/observe/energy"
	"motehound/observe/outputs"
	"motehound/observe/stray"
	"motehound/study/builds"
	"motehound/study/travel"
	"motehound/world"
)

// Run asks for a run of motes: what they did, and how it ended.
type Run struct {
	World
	Lifecycle
	Guard
	File   string   `json:"file"` // firmware or scenario
	Dump   []string `json:"dump,omitempty"`
	Vars   []string `json:"vars,omitempty"`
	LEDs   bool     `json:"leds,omitempty"`       // a line of progress for each change
	Pins   bool     `json:"trace_pins,omitempty"` // the same for pins
	Blocks bool     `json:"blocks,omitempty"`     // code without a basic block
	Energy bool     `json:"energy,omitempty"`     // what motes took from their supplies
	Out    string   `json:"out,omitempty"`        // the folder for recipe and report
	Bundle bool     `json:"bundle,omitempty"`
}

// Ran is a run that was made.
type Ran struct {
	Document *document.Run
	Motes    []Shown       // by mote
	Took     time.Duration // of the host's time
	Until    uint64        // when it ended, in picoseconds
	Mixed    bool          // motes run different firmware
	Judged   bool          // there is a scenario with properties
	Kept     string        // the recipe, or the bundle, in Out
}

// Shown is what people are shown of a mote, besides what is in the document.
type Shown struct {
	LEDs      []string // names
	On        []string // those that are on
	State     string
	Changes   []outputs.LEDChange // the first ones
	Unchanged int                 // how many changes came behind those
	UART      []Sent
}

// Sent is what a USART has sent.
type Sent struct {
	First  []byte
	Beyond int // how many bytes came behind those
}

// Session runs a world with something of the host attached, as terminals and files.
type Session interface {
	// Run runs the world until a moment, until no mote can go on, or until the context is done. Progress, which may be nil, is called after
	// each slice of virtual time; 0 is a usual one.
	Run(ctx context.Context, until, slice uint64, progress func(now uint64)) error
	Close()
}

// alone is a world with nobody attached.
type alone struct{ *world.World }

func (w alone) Close() {}

func (w alone) Run(ctx context.Context, until, slice uint64, progress func(now uint64)) error {
	drive(ctx, w.World, until, slice, progress)
	return nil
}

func (h Host) attach(w *world.World) (done func() error, err error) {
	if h.Attach == nil {
		return func() error { return nil }, nil
	}
	return h.Attach(w, false)
}

func (h Host) connect(w *world.World) (Session, error) {
	if h.Connect == nil {
		return alone{w}, nil
	}
	return h.Connect(w)
}

// Do makes the run.
func (f Run) Do(ctx context.Context, h Host) (*Ran, error) {
	rec, w, watch, err := f.Load(ctx, f.File, h)
	if err != nil {
		return nil, err
	}
	ask, err := Ask(w, f.Dump, f.Vars)
	if err != nil {
		return nil, err
	}
	if h.Debug != nil {
		if err := h.Debug(ctx, &Journey{Traveller: travel.Timed(w.Clone(), rec.Until, 0), Recipe: rec}); err != nil {
			return nil, err
		}
	}
	session, err := h.connect(w)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	if f.Out != "" { // now, rather than after a long run
		if err := os.MkdirAll(f.Out, 0o755); err != nil {
			return nil, err
		}
	}
	bundler, err := NewBundler(f.Bundle, f.Out, rec)
	if err != nil {
		return nil, err
	}
	guard, err := f.attach(rec, w, watch.scenario(), h)
	if err != nil {
		return nil, err
	}
	recorder := outputs.Record(w)
	f.trace(w, h)
	var code *stray.Watcher
	if f.Blocks {
		code = stray.Watch(w)
	}
	spent, err := watchEnergy(f.Energy, w)
	if err != nil {
		return nil, err
	}
	recorded, err := f.record(w, h)
	if err != nil {
		return nil, err
	}
	exported, err := h.attach(w)
	if err != nil {
		return nil, err
	}
	start := h.now()
	slice, progress := watch.look(h.running(rec.Until))
	if err := session.Run(ctx, rec.Until, slice, guard.look(progress)); err != nil {
		return nil, err
	}
	took := h.now().Sub(start)
	h.done()
	if err := errors.Join(recorded(), exported()); err != nil {
		return nil, err
	}
	rec.Finish(w)
	doc := document.RunOf(w, recorder, rec, took)
	guard.answer(doc)
	watch.answer(doc, w, guard.leftOut(), ctx.Err() != nil)
	if f.Blocks {
		doc.Code = document.CodeOf(code)
	}
	doc.Energy = spent()
	if err := ask.Answer(w, doc); err != nil {
		return nil, err
	}
	ran := RanOf(w, recorder, doc, took)
	ran.Judged = watch != nil && len(watch.Scenario.Properties) > 0
	ran.Kept, err = f.keep(doc, bundler)
	return ran, err
}

// watchEnergy watches what motes take from their supplies, if that is asked for; spent sums it up.
func watchEnergy(asked bool, w *world.World) (spent func() []document.Energy, err error) {
	if !asked {
		return func() []document.Energy { return nil }, nil
	}
	x, err := energy.Watch(w)
	if err != nil {
		return nil, fmt.Errorf("--energy: %w", err)
	}
	return func() []document.Energy { return document.EnergyOf(w, x) }, nil
}

// RanOf gathers what is shown of a run.
func RanOf(w *world.World, r *outputs.Recorder, doc *document.Run, took time.Duration) *Ran {
	ran := &Ran{Document: doc, Took: took, Until: w.Now(), Mixed: len(builds.Of(w).All()) > 1}
	for i, m := range w.Motes() {
		x := Shown{State: state(m)}
		for n, l := range m.Board().LEDs {
			x.LEDs = append(x.LEDs, l.Name)
			if m.LEDs()>>n&1 != 0 {
				x.On = append(x.On, l.Name)
			}
		}
		x.Changes, x.Unchanged = r.LEDs(i)
		for n := range m.USARTs() {
			first, beyond := r.UART(i, uint8(n))
			x.UART = append(x.UART, Sent{first, beyond})
		}
		ran.Motes = append(ran.Motes, x)
	}
	return ran
}

// trace tells of lights and pins as they change.
func (f *Run) trace(w *world.World, h Host) {
	switched := map[bool]string{false: "off", true: "on"}
	if f.LEDs {
		w.Observe(world.Observer{LED: func(i int, ps uint64, led int, on bool) {
			m := w.Motes()[i]
			h.line("%s mote %d LED %s %s", phrase.Seconds(ps), m.ID(), m.Board().LEDs[led].Name, switched[on])
		}})
	}
	if f.Pins {
		level := map[bool]string{false: "low", true: "high"}
		w.Observe(world.Observer{Pad: func(i int, ps uint64, p periph.Pin, high bool) {
			h.line("%s mote %d pin %s %s", phrase.Seconds(ps), w.Motes()[i].ID(), p, level[high])
		}})
	}
}

// keep writes the recipe and the report into the folder of Out.
func (f *Run) keep(doc *document.Run, b *Bundler) (recipePath string, err error) {
	if f.Out == "" {
		return "", nil
	}
	recipePath = filepath.Join(f.Out, "recipe.json")
	if err := Movable(doc.Recipe, f.Out).Write(recipePath); err != nil {
		return "", err
	}
	bundle, err := b.Write(doc.Recipe, recipePath)
	if err != nil {
		return "", err
	}
	return cmp.Or(bundle, recipePath), KeepReport(f.Out, doc)
}
