package job

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"motehound/observe/coverage"
	"motehound/study/explore"
	"motehound/study/finding"
	"motehound/study/travel"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// Debug asks for a run to travel in: that of a recipe, or of firmware or a scenario.
type Debug struct {
	World
	File string `json:"file"`
	// Explore is that of firmware or a scenario the events are wanted, for somebody to choose among: the run has none yet.
	Explore bool `json:"explore,omitempty"`
}

// Journey is a run that somebody travels in.
type Journey struct {
	*travel.Traveller
	Recipe *recipe.Recipe
	// Beats are the events of an explored run, as they are told.
	Beats []Beat
	// Found is what the recipe is a finding of; nil if it is none.
	Found *finding.Violation
	// broken is what Broken has found; nil before.
	broken    []Broken
	past      *chronicle
	notes     *notes                                           // nil if none are taken
	covered   []coverage.File                                  // nil before it was asked for
	coveredTo travel.Point                                     // up to where that is
	anew      func() (*world.World, *scenario.Scenario, error) // makes a timed run again
	again     func(context.Context, Host) error                // makes an explored run again, for who attaches to it
	own       *explored                                        // what an explored run was when it was opened
	chosen    []chosen                                         // the events of an explored run
}

// Beat is one event of an explored run.
type Beat struct {
	explore.Beat
	Broken []finding.Violation
}

// Open gets the run ready. The traveller is at its beginning.
func (f Debug) Open(ctx context.Context, h Host) (*Journey, error) {
	recorded, err := isRecipe(f.File)
	if err != nil {
		return nil, err
	}
	if recorded {
		return openRecipe(ctx, f.File, h)
	}
	if f.Explore {
		return f.explore(ctx, h)
	}
	rec, w, _, err := f.Load(ctx, f.File, h)
	if err != nil {
		return nil, err
	}
	j := &Journey{Traveller: travel.Timed(w.Clone(), rec.Until, 0), Recipe: rec, anew: func() (*world.World, *scenario.Scenario, error) {
		_, w, watch, err := f.Make(f.File, Host{})
		return w, watch.scenario(), err
	}}
	return j, nil
}

// isRecipe tells recipes and bundles from firmware and scenarios, by what they begin with.
func isRecipe(path string) (bool, error) {
	if strings.HasSuffix(path, ".star") || strings.HasPrefix(path, "example:") {
		return false, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	var start [512]byte
	n, err := io.ReadFull(file, start[:])
	if err != nil && n == 0 {
		return false, fmt.Errorf("%s is empty: give a recipe, a bundle, a firmware file or a scenario", path)
	}
	text := bytes.TrimLeft(start[:n], " \t\r\n\ufeff")
	return bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("PK\x03\x04")), nil
}

func openRecipe(ctx context.Context, path string, h Host) (*Journey, error) {
	rec, err := recipe.Read(path)
	if err != nil {
		return nil, err
	}
	if rec.Explored == nil {
		w, err := rec.Repeatable(OpenFirmware, func() bool { return ctx.Err() != nil })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if w == nil {
			return nil, &Unfinished{}
		}
		j := &Journey{Traveller: travel.Timed(w, rec.Until, 0), Recipe: rec, anew: func() (*world.World, *scenario.Scenario, error) {
			w, err := rec.World(OpenFirmware)
			if err != nil {
				return nil, nil, err
			}
			sc, err := scenarioOf(rec)
			return w, sc, err
		}}
		if x := rec.Symbolic; x != nil {
			j.Found = &finding.Violation{Property: x.Property, Kind: finding.Kind(x.Kind), Mote: int16(x.Mote), Detail: x.Detail, Function: x.Function, File: x.File, Line: x.Line}
		}
		return j, nil
	}
	s, trace, err := subjectOf(ctx, path, rec, true, h)
	if err != nil {
		return nil, err
	}
	j := &Journey{Recipe: rec, own: &explored{s, trace, violationOf(rec.Explored)}}
	if err := j.Follow(ctx, ""); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return j, nil
}

// Broken is something that is wrong in a run, and where it shows.
type Broken struct {
	At        travel.Stop
	Violation finding.Violation
}

// Broken lists what is wrong in the run, in order: what the recipe is a finding of, or what the built-in checks find. Of an explored run it is behind the
// event that breaks something. Stop ends it early.
func (j *Journey) Broken(stop func() bool) ([]Broken, error) {
	if j.broken == nil {
		list, err := j.wrong(stop)
		if err != nil {
			return nil, err
		}
		j.broken = append([]Broken{}, list...)
	}
	return j.broken, nil
}

func (j *Journey) wrong(stop func() bool) (list []Broken, err error) {
	switch {
	case j.Explored():
		for n, b := range j.Beats {
			for _, v := range b.Broken {
				if j.Found != nil && v.Property == j.Found.Property && v.Line == j.Found.Line {
					v = *j.Found // which names files as the recipe does
				}
				list = append(list, Broken{travel.Stop{Point: travel.Point{Event: n + 2}, Mote: int(v.Mote)}, v})
			}
		}
		if len(list) == 0 && j.Found != nil {
			list = append(list, Broken{travel.Stop{Point: travel.Point{Event: len(j.Beats) + 1}, Mote: int(j.Found.Mote)}, *j.Found})
		}
		return list, nil
	case j.Found != nil:
		return []Broken{{travel.Stop{Point: travel.Point{Time: j.Recipe.Symbolic.At}, Mote: int(j.Found.Mote)}, *j.Found}}, nil
	}
	return j.watched(stop)
}

// watched makes a timed run again, with everything that is checked, and lists what is found.
func (j *Journey) watched(stop func() bool) (list []Broken, err error) {
	w, sc, err := j.anew()
	if err != nil {
		return nil, err
	}
	g, err := (&Guard{}).attach(j.Recipe, w, sc, Host{})
	if err != nil {
		return nil, err
	}
	var monitor *scenario.Monitor
	if sc != nil {
		monitor = scenario.NewMonitor(sc, w)
	}
	for w.Now() < j.Recipe.Until {
		if stop != nil && stop() {
			return nil, travel.ErrInterrupted
		}
		to := min(w.Now()+100*world.Millisecond, j.Recipe.Until)
		if monitor == nil {
			w.RunUntil(to)
		} else {
			_ = monitor.RunUntil(to, lookEvery) // what cannot be evaluated is told by run
		}
	}
	for _, x := range g.watch.Findings() {
		list = append(list, Broken{travel.Stop{Point: travel.Point{Time: x.At}, Mote: x.Mote}, x.Violation()})
	}
	if monitor != nil {
		for _, v := range monitor.Violations() {
			x := Broken{travel.Stop{Point: travel.Point{Time: v.Time}, Mote: -1}, finding.Violation{Property: v.Property, Mote: -1, File: v.Pos.File, Line: v.Pos.Line}}
			if len(v.Motes) == 1 {
				x.At.Mote, x.Violation.Mote = v.Motes[0], int16(v.Motes[0])
			}
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b Broken) int { return a.At.Compare(b.At) })
	return list, nil
}
