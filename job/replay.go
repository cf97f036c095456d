package job

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/observe/outputs"
	"motehound/study/symbolic/plan"
	"motehound/study/verdict"
	"motehound/world/recipe"
)

// Replay asks for a run to be made again from its recipe.
type Replay struct {
	Guard
	Recipe   string   `json:"recipe"`              // or a bundle
	NoRepair bool     `json:"no_repair,omitempty"` // do not work out how a race can be repaired
	Vars     []string `json:"vars,omitempty"`      // shown at the end of an ordinary run
	Energy   bool     `json:"energy,omitempty"`    // of an ordinary run: what motes took from their supplies
	Nearest  string   `json:"nearest,omitempty"`   // a property that does not hold: also make the nearest good run
}

// Replayed is a run that was made again: one of the three kinds that recipes are of.
type Replayed struct {
	Path     string
	Recipe   *recipe.Recipe
	Run      *document.Replayed // of run, and of model verify
	Ran      *Ran
	Explored *document.ReplayedFinding // of check
	Symbolic *document.ReplayedInputs  // of symbolic
	Nearest  string                    // how the nearest good run differs, if that was asked for and there is one
}

// Document is what is known, as JSON has it.
func (r *Replayed) Document() any {
	switch {
	case r.Explored != nil:
		return r.Explored
	case r.Symbolic != nil:
		return r.Symbolic
	}
	return r.Run
}

// Refused says why the recipe does not do what it says; nil if it does.
func (r *Replayed) Refused() error {
	var differs []string
	same := r.Run != nil && r.Run.Same
	switch {
	case r.Explored != nil:
		same, differs = r.Explored.Same, r.Explored.Differs
	case r.Symbolic != nil:
		same, differs = r.Symbolic.Same, r.Symbolic.Differs
	}
	if same {
		return nil
	}
	if len(differs) == 0 {
		differs = []string{"the run ends in another state"}
	}
	return fmt.Errorf("%s is refused: %s", r.Path, strings.Join(differs, "; "))
}

// Do makes the run again.
func (f Replay) Do(ctx context.Context, h Host) (*Replayed, error) {
	path := f.Recipe
	rec, err := recipe.Read(path)
	if err != nil {
		return nil, err
	}
	if rec.Hash == "" {
		return nil, fmt.Errorf("%s has no hash of a final state: it is not the recipe of a finished run", path)
	}
	for _, m := range rec.Motes {
		if m.SHA256 == "" {
			return nil, fmt.Errorf("%s has no hash of mote %d's firmware, so nothing can be proven", path, m.ID)
		}
	}
	if (rec.Explored != nil || rec.Symbolic != nil) && len(f.Vars) > 0 && h.Attach == nil {
		return nil, fmt.Errorf("--var: %s is a finding of a search: give --perfetto or --vcd, too, which show the variable over time", path)
	}
	if (rec.Explored != nil || rec.Symbolic != nil) && f.Energy {
		return nil, fmt.Errorf("--energy: %s is a finding of a search, which is too short to say what motes take: give the recipe of a run", path)
	}
	if h.Debug != nil {
		run, err := openRecipe(ctx, path, h)
		if err != nil {
			return nil, err
		}
		if err := h.Debug(ctx, run); err != nil {
			return nil, err
		}
	}
	x := &Replayed{Path: path, Recipe: rec}
	switch {
	case rec.Explored != nil:
		x.Explored, x.Nearest, err = f.explored(ctx, path, rec, h)
	case rec.Symbolic != nil:
		x.Symbolic, err = replaySymbolic(ctx, path, rec, h)
	default:
		x.Ran, x.Run, err = f.run(ctx, path, rec, h)
	}
	if err != nil {
		return nil, err
	}
	return x, f.nearest(ctx, x)
}

// nearest makes the nearest good run of a timed one, if there is time.
func (f *Replay) nearest(ctx context.Context, x *Replayed) (err error) {
	switch {
	case f.Nearest == "" || x.Explored != nil:
		return nil
	case x.Symbolic != nil:
		x.Nearest, err = nearestSolved(ctx, x.Recipe)
	default:
		x.Nearest, err = f.nearestRan(ctx, x.Recipe, x.Run.Run)
	}
	if errors.Is(err, verdict.ErrInterrupted) {
		return nil
	}
	return err
}

// run makes an ordinary run again.
func (f *Replay) run(ctx context.Context, path string, rec *recipe.Recipe, h Host) (*Ran, *document.Replayed, error) {
	w, err := rec.World(OpenFirmware)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	sc, err := scenarioOf(rec)
	if err != nil && !f.NoChecks {
		h.say("the built-in checks are off: %v", err)
		f.NoChecks = true
	}
	guard, err := f.attach(rec, w, sc, h)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	ask, err := Ask(w, nil, f.Vars)
	if err != nil {
		return nil, nil, err
	}
	recorder := outputs.Record(w)
	spent, err := watchEnergy(f.Energy, w)
	if err != nil {
		return nil, nil, err
	}
	exported, err := h.attach(w)
	if err != nil {
		return nil, nil, err
	}
	start := h.now()
	expected, until := rec.Hash, rec.Until
	drive(ctx, w, until, 0, guard.look(h.running(until)))
	if ctx.Err() != nil {
		return nil, nil, &Unfinished{}
	}
	w.RunUntil(until) // it may have ended early, when no mote could go on
	took := h.now().Sub(start)
	h.done()
	if err := exported(); err != nil {
		return nil, nil, err
	}
	rec.Finish(w)
	doc := &document.Replayed{Same: rec.Hash == expected, Expected: expected, Run: document.RunOf(w, recorder, rec, took)}
	guard.answer(doc.Run)
	doc.Run.Judge(guard.leftOut())
	doc.Run.Energy = spent()
	if err := ask.Answer(w, doc.Run); err != nil {
		return nil, nil, err
	}
	return RanOf(w, recorder, doc.Run, took), doc, nil
}

// replaySymbolic makes the run of a finding again, and looks whether the same goes wrong.
func replaySymbolic(ctx context.Context, path string, rec *recipe.Recipe, h Host) (*document.ReplayedInputs, error) {
	w, err := rec.World(OpenFirmware)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	sc, err := scenarioOf(rec)
	if err != nil {
		return nil, fmt.Errorf("%s: nothing is proven: %w", path, err)
	}
	exported, err := h.attach(w)
	if err != nil {
		return nil, err
	}
	expected := rec.Hash
	h.doing("replaying %s of the motes' time", phrase.Seconds(rec.Until))
	differs, err := plan.Rerun(w, rec, sc, func() bool { return ctx.Err() != nil })
	h.done()
	if errors.Is(err, verdict.ErrInterrupted) {
		return nil, &Unfinished{}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := exported(); err != nil {
		return nil, err
	}
	rec.Finish(w)
	return &document.ReplayedInputs{Same: rec.Hash == expected && len(differs) == 0, Expected: expected, Hash: rec.Hash, Seen: len(differs) == 0,
		Differs: document.List(differs), Finding: rec.Symbolic}, nil
}
