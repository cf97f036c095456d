package job

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/finding"
	"motehound/study/verdict"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// subjectOf gets the network of a recipe ready in which a trace was explored, and the trace.
func subjectOf(ctx context.Context, path string, rec *recipe.Recipe, noRepair bool, h Host) (*subject, []check.Event, error) {
	cfg, err := rec.Config(OpenFirmware)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	s := &subject{recipe: rec, cfg: cfg, skew: rec.Explored.Skew, preempt: rec.Explored.Preempt, anyOrder: true, noRepair: noRepair}
	if s.scenario, err = scenarioOf(rec); err != nil {
		return nil, nil, fmt.Errorf("%s: nothing is proven: %w", path, err)
	}
	if err := s.prepare(ctx, false, h); errors.Is(err, verdict.ErrInterrupted) {
		return nil, nil, &Unfinished{}
	} else if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := s.give(rec.Explored.Inputs); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	trace, err := traceOf(rec.Explored)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if m := rec.Explored.Mote; m < -1 || m >= len(rec.Motes) {
		return nil, nil, fmt.Errorf("%s: the finding is on the mote with index %d, but there are only %d motes", path, m, len(rec.Motes))
	}
	return s, trace, nil
}

// violationOf is what a recipe says that is broken.
func violationOf(x *recipe.Explored) *finding.Violation {
	return &finding.Violation{Property: x.Property, Kind: finding.Kind(x.Kind), Mote: int16(x.Mote), Detail: x.Detail, Function: x.Function, File: x.File, Line: x.Line}
}

// explored makes the run of a finding again.
func (r *Replay) explored(ctx context.Context, path string, rec *recipe.Recipe, h Host) (found *document.ReplayedFinding, nearest string, err error) {
	s, trace, err := subjectOf(ctx, path, rec, r.NoRepair, h)
	if err != nil {
		return nil, "", err
	}
	f := &check.Finding{Trace: trace, Before: len(trace), Cycle: rec.Explored.Cycle, Violation: *violationOf(rec.Explored)}
	if f.Cycle > 0 {
		f.Evidence = check.Lasso
	}
	if rec.Explored.Critical != 0 {
		f.Critical = &check.Critical{After: rec.Explored.Critical, Reach: rec.Explored.Reach, Reached: true}
	}
	h.doing("replaying %s events", phrase.Grouped(uint64(len(trace))))
	if err := s.observe(ctx, trace, h); err != nil {
		return nil, "", err
	}
	differs, err := s.differs(ctx, f)
	if err == nil && len(differs) == 0 {
		differs, err = check.Recheck(s.base, f, runtime.GOMAXPROCS(0), func() bool { return ctx.Err() != nil })
	}
	if ctx.Err() != nil {
		return nil, "", &Unfinished{}
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	told, err := s.describe(ctx, []*check.Finding{f}, h)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	if ctx.Err() != nil {
		return nil, "", &Unfinished{}
	}
	x, hash := told[0].Found, told[0].hash
	if r.Nearest != "" {
		nearest, err = s.nearest(ctx, f)
	}
	if err != nil && ctx.Err() == nil { // there may be no time for it
		return nil, "", fmt.Errorf("%s: the nearest good run: %w", path, err)
	}
	return &document.ReplayedFinding{Same: hash == rec.Hash && len(differs) == 0, Expected: rec.Hash, Hash: hash, Seen: len(differs) == 0,
		Differs: document.List(differs), Finding: x}, nearest, nil
}

// observe runs the trace for somebody who observes it.
func (s *subject) observe(ctx context.Context, trace []check.Event, h Host) error {
	if h.Attach == nil {
		return nil
	}
	sys, err := s.base.(*explore.System).Watched(nil)
	if err != nil {
		return err
	}
	w, err := sys.World()
	if err != nil {
		return err
	}
	done, err := h.Attach(w, true)
	if err != nil {
		return err
	}
	err = sys.Tell(trace, func(int, explore.Beat, check.Step) error { return ctx.Err() })
	if ctx.Err() != nil {
		return &Unfinished{}
	}
	if err != nil {
		return err
	}
	return done()
}

// differs tells what of a finding does not show when its trace is run: that its last event breaks the property, on the mote and in the
// place that the finding names; of liveness, that the goal does not hold at the end.
func (s *subject) differs(ctx context.Context, f *check.Finding) ([]string, error) {
	sys := s.base.Clone().(*explore.System)
	defer sys.Release()
	var last []finding.Violation
	err := sys.Tell(f.Trace, func(_ int, _ explore.Beat, step check.Step) error {
		last = step.Violations
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if f.Kind == finding.Liveness {
		i := slices.Index(sys.Goals(), finding.Goal{Property: f.Property, Mote: f.Mote})
		switch {
		case i < 0:
			return []string{fmt.Sprintf("there is no goal %q of that mote", f.Property)}, nil
		case sys.Live(nil)[i]:
			return []string{"the goal holds at the end"}, nil
		case f.Function != "" || f.File != "" || f.Line != 0:
			return []string{"a goal belongs to no line of code"}, nil
		}
		return nil, nil
	}
	var why []string
	for _, v := range last {
		if v.Property != f.Property {
			continue
		}
		why = nil
		if v.Mote != f.Mote {
			why = append(why, fmt.Sprintf("it fails %s, not %s", s.where(v.Mote), s.where(f.Mote)))
		}
		if s.scenario != nil {
			v.File = s.scenario.NameIn(s.recipe, v.File)
		}
		if v.Function != f.Function || v.File != f.File || v.Line != f.Line {
			why = append(why, fmt.Sprintf("it fails in %s, not in %s", document.PlaceText(v.Function, v.File, v.Line), document.PlaceText(f.Function, f.File, f.Line)))
		}
		if len(why) == 0 {
			f.Detail = v.Detail
			return nil, nil
		}
	}
	if why == nil {
		why = []string{"the last event does not break the property"}
	}
	return why, nil
}

// where names a mote, or the network.
func (s *subject) where(mote int16) string {
	if mote < 0 {
		return "in the network"
	}
	return fmt.Sprintf("on mote %d", s.id(mote))
}

// scenarioOf finds the scenario that a recipe was made from, for its properties; nil if there was none. One that is gone, or another one
// by now, is an error.
func scenarioOf(rec *recipe.Recipe) (*scenario.Scenario, error) {
	if len(rec.Scenario) == 0 {
		return nil, nil
	}
	var opt scenario.Options
	for _, p := range rec.Params {
		opt.Params = append(opt.Params, scenario.Param(p))
	}
	name := rec.Scenario[0].Name
	load := func() (*scenario.Scenario, error) { return scenario.Load(rec.Beside(name), opt) }
	if files := rec.Bundled(); files != nil {
		load = func() (*scenario.Scenario, error) { return scenario.LoadFS(files, name, opt) }
	}
	sc, err := load()
	if err != nil {
		return nil, fmt.Errorf("the finding needs its scenario, which is missing: %w", err)
	}
	again, err := sc.Recipe()
	if err != nil {
		return nil, err
	}
	for i, is := range again.Scenario {
		if i >= len(rec.Scenario) || is.SHA256 != rec.Scenario[i].SHA256 {
			return nil, fmt.Errorf("%s has changed since the finding was made", is.Name)
		}
	}
	if len(again.Scenario) < len(rec.Scenario) {
		return nil, fmt.Errorf("the scenario no longer loads %s", rec.Scenario[len(again.Scenario)].Name)
	}
	return sc, nil
}
