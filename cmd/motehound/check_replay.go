package main

import (
	"fmt"
	"os"
	"slices"

	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/property"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// replayedDocument is what replay prints of a recipe that check has made.
type replayedDocument struct {
	Same     bool           `json:"same"` // the final state is the same, and the violation, if it can be seen
	Expected string         `json:"expected_hash"`
	Hash     string         `json:"hash"`
	Seen     bool           `json:"violation_seen"`
	Finding  *foundDocument `json:"finding"`
}

// replayExplored makes the run of a finding again.
func replayExplored(path string, rec *recipe.Recipe, json bool) error {
	cfg, err := rec.Config(openFirmware)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	term := newTerminal(json, false, nil)
	s := &subject{recipe: rec, cfg: cfg, skew: rec.Explored.Skew, scenario: scenarioOf(rec, term)}
	if err := s.prepare("", property.Options{Explore: true}, term); err != nil {
		return err
	}
	trace, err := traceOf(rec.Explored)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	f := &check.Finding{Trace: trace, Before: len(trace), Cycle: rec.Explored.Cycle,
		Violation: check.Violation{Property: rec.Explored.Property, Kind: check.Kind(rec.Explored.Kind), Mote: int16(rec.Explored.Mote), Detail: rec.Explored.Detail}}
	if rec.Explored.Critical > 0 {
		f.Critical = &check.Critical{After: rec.Explored.Critical, Reached: true}
	}
	seen, err := s.sees(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	x, hash, err := s.describe(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	doc := replayedDocument{Same: hash == rec.Hash && seen, Expected: rec.Hash, Hash: hash, Seen: seen, Finding: x}
	if json {
		err = writeJSON(os.Stdout, doc)
	} else {
		(&checkFlags{full: true}).printFinding(term.text, 1, x)
		switch {
		case doc.Same:
			fmt.Fprintf(term.text, "the same run: it ends in state %s again, and breaks the property\n", hash)
		case !seen:
			fmt.Fprintln(term.text, "NOT the same: the property is not broken")
		default:
			fmt.Fprintf(term.text, "NOT the same run: it ends in state %s, but the recipe says %s.\n"+
				"The recipe was edited, or made by another version of Motehound.\n", hash, rec.Hash)
		}
	}
	if err == nil && !doc.Same {
		return errFound
	}
	return err
}

// sees tells whether the trace breaks the property once more: of liveness, that it does not hold at the end. What belongs to a
// scenario that is not at hand counts as seen.
func (s *subject) sees(f *check.Finding) (bool, error) {
	sys := s.base.Clone().(*explore.System)
	defer sys.Release()
	seen := false
	err := sys.Tell(f.Trace, func(_ int, _ explore.Beat, step check.Step) error {
		seen = seen || slices.ContainsFunc(step.Violations, func(v check.Violation) bool { return v.Property == f.Property })
		return nil
	})
	if err != nil {
		return false, err
	}
	if i := slices.Index(sys.Goals(), check.Goal{Property: f.Property, Mote: f.Mote}); f.Kind == check.Liveness && i >= 0 {
		return !sys.Live(nil)[i], nil
	}
	return seen || s.scenario == nil && len(s.recipe.Scenario) > 0, nil
}

// scenarioOf finds the scenario that a recipe was made from, for its properties; nil if it is gone, or another one.
func scenarioOf(rec *recipe.Recipe, term *terminal) *scenario.Scenario {
	if len(rec.Scenario) == 0 {
		return nil
	}
	name := rec.Scenario[0].Name
	var opt scenario.Options
	for _, p := range rec.Params {
		opt.Params = append(opt.Params, scenario.Param(p))
	}
	sc, err := scenario.Load(name, opt)
	if err != nil {
		term.note("without the scenario's properties: %v", err)
		return nil
	}
	again, err := sc.Recipe()
	if err != nil || !slices.Equal(again.Scenario, rec.Scenario) {
		term.note("without the scenario's properties: %s is not what it was", name)
		return nil
	}
	return sc
}
