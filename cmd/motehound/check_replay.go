package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/finding"
	"motehound/study/verdict"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// replayedDocument is what replay prints of a recipe that check has made.
type replayedDocument struct {
	Same     bool           `json:"same"` // the final state is the same, and the violation, if it can be seen
	Expected string         `json:"expected_hash"`
	Hash     string         `json:"hash"`
	Seen     bool           `json:"violation_seen"`
	Differs  []string       `json:"differs"` // what is not as the recipe says
	Finding  *foundDocument `json:"finding"`
}

// replayExplored makes the run of a finding again.
func replayExplored(ctx context.Context, path string, rec *recipe.Recipe, json bool) error {
	cfg, err := rec.Config(job.OpenFirmware)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	term := newTerminal(json, false, nil)
	s := &subject{recipe: rec, cfg: cfg, skew: rec.Explored.Skew}
	if s.scenario, err = scenarioOf(rec); err != nil {
		return fmt.Errorf("%s: nothing is proven: %w", path, err)
	}
	if err := s.prepare(ctx, false, term); errors.Is(err, verdict.ErrInterrupted) {
		return unfinished(term)
	} else if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	trace, err := traceOf(rec.Explored)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if m := rec.Explored.Mote; m < -1 || m >= len(rec.Motes) {
		return fmt.Errorf("%s: the finding is on number %d of the motes, from 0, but there are %d", path, m, len(rec.Motes))
	}
	f := &check.Finding{Trace: trace, Before: len(trace), Cycle: rec.Explored.Cycle,
		Violation: finding.Violation{Property: rec.Explored.Property, Kind: finding.Kind(rec.Explored.Kind), Mote: int16(rec.Explored.Mote), Detail: rec.Explored.Detail,
			Function: rec.Explored.Function, File: rec.Explored.File, Line: rec.Explored.Line}}
	if f.Cycle > 0 {
		f.Evidence = check.Lasso
	}
	if rec.Explored.Critical != 0 {
		f.Critical = &check.Critical{After: rec.Explored.Critical, Reach: rec.Explored.Reach, Reached: true}
	}
	term.doing("replaying %s events", phrase.Grouped(uint64(len(trace))))
	differs, err := s.differs(ctx, f)
	if err == nil && len(differs) == 0 {
		differs, err = check.Recheck(s.base, f, runtime.GOMAXPROCS(0), func() bool { return ctx.Err() != nil })
	}
	if ctx.Err() != nil {
		return unfinished(term)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	told, err := s.describe(ctx, []*check.Finding{f}, term)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if ctx.Err() != nil {
		return unfinished(term)
	}
	x, hash := told[0].foundDocument, told[0].hash
	doc := replayedDocument{Same: hash == rec.Hash && len(differs) == 0, Expected: rec.Hash, Hash: hash, Seen: len(differs) == 0,
		Differs: some(differs), Finding: x}
	if json {
		err = document.Write(stdout, doc)
	} else {
		(&checkFlags{full: true}).printFinding(term.text, 1, x)
		switch {
		case doc.Same:
			fmt.Fprintf(term.text, "the same run: it ends in state %s again, and breaks the property\n", hash)
		case len(differs) > 0:
			fmt.Fprintf(term.text, "NOT the same: %s\n", strings.Join(differs, "; "))
		default:
			fmt.Fprintf(term.text, "NOT the same run: it ends in state %s, but the recipe says %s.\n"+
				"The recipe was edited, or made by another version of Motehound.\n", hash, rec.Hash)
		}
	}
	if err == nil && !doc.Same {
		return notShown(path, differs)
	}
	return err
}

// notShown refuses a recipe that does not do what it says.
func notShown(path string, differs []string) error {
	if len(differs) == 0 {
		differs = []string{"the run ends in another state"}
	}
	return fmt.Errorf("%s is refused: %s", path, strings.Join(differs, "; "))
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
			why = append(why, fmt.Sprintf("it is broken %s, not %s", s.where(v.Mote), s.where(f.Mote)))
		}
		if s.scenario != nil {
			v.File = s.scenario.NameIn(s.recipe, v.File)
		}
		if v.Function != f.Function || v.File != f.File || v.Line != f.Line {
			why = append(why, fmt.Sprintf("it is broken in %s, not in %s", placeText(v.Function, v.File, v.Line), placeText(f.Function, f.File, f.Line)))
		}
		if len(why) == 0 {
			f.Detail = v.Detail
			return nil, nil
		}
	}
	if why == nil {
		why = []string{"the property is not broken by the last event"}
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
		return nil, fmt.Errorf("the finding was made with a scenario, which is missing: %w", err)
	}
	again, err := sc.Recipe()
	if err != nil {
		return nil, err
	}
	for i, is := range again.Scenario {
		if i >= len(rec.Scenario) || is.SHA256 != rec.Scenario[i].SHA256 {
			return nil, fmt.Errorf("%s is not what it was when the finding was made", is.Name)
		}
	}
	if len(again.Scenario) < len(rec.Scenario) {
		return nil, fmt.Errorf("the scenario does not load %s any more", rec.Scenario[len(again.Scenario)].Name)
	}
	return sc, nil
}
