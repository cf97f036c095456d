package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"motehound/show/live"
	"motehound/show/report"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// watch is the properties of a scenario during a run; nil for a run without one.
type watch struct {
	scenario *scenario.Scenario
	monitor  *scenario.Monitor
	leftOut  []string // what is not heeded here
}

// lookEvery is how often properties are looked at, in virtual time.
const lookEvery = world.Millisecond

// world makes what a firmware file and the flags, or a scenario, ask for.
func (f *worldFlags) world(name string, term *terminal) (*recipe.Recipe, *world.World, *watch, error) {
	if !isScenario(name) {
		if len(f.params) > 0 {
			return nil, nil, nil, fmt.Errorf("--param %s: only scenarios have parameters, a firmware file has none", f.params[0])
		}
		rec, err := f.recipe(name, term.note)
		if err != nil {
			return nil, nil, nil, err
		}
		w, err := rec.World(openFirmware)
		if err == nil {
			noteImages(w, term)
		}
		return rec, w, nil, err
	}
	if err := f.check(); err != nil {
		return nil, nil, nil, err
	}
	s, err := f.scenario(name, term)
	if err != nil {
		return nil, nil, nil, err
	}
	rec, err := s.Recipe()
	if err != nil {
		return nil, nil, nil, err
	}
	if rec.Until == 0 || f.changed("time") {
		rec.Until = uint64(f.time.Nanoseconds()) * 1000
	}
	if f.changed("seed") {
		rec.Seed = f.seed
	}
	w, err := s.World(rec, openBeside(name))
	if err != nil {
		return nil, nil, nil, err
	}
	noteImages(w, term)
	return rec, w, &watch{s, scenario.NewMonitor(s, w), s.LeftOut(!f.explores)}, nil
}

// isScenario tells a scenario from a firmware file by its name.
func isScenario(name string) bool { return strings.HasSuffix(name, ".star") }

// scenario loads a scenario with the parameters of the flags.
func (f *worldFlags) scenario(name string, term *terminal) (*scenario.Scenario, error) {
	opt := scenario.Options{Print: func(text string) { term.say("%s", text) }}
	for _, text := range f.params {
		param, value, ok := strings.Cut(text, "=")
		if !ok || param == "" {
			return nil, fmt.Errorf("--param %q: write a parameter and its value, such as period=40", text)
		}
		if slices.ContainsFunc(opt.Params, func(p scenario.Param) bool { return p.Name == param }) {
			return nil, fmt.Errorf("--param %s: it is given twice", param)
		}
		opt.Params = append(opt.Params, scenario.Param{Name: param, Value: value})
	}
	return scenario.Load(name, opt)
}

// openBeside finds firmware from where the command runs, or beside a scenario.
func openBeside(name string) recipe.Opener {
	return func(file string) ([]byte, error) {
		if data, err := openFirmware(file); err == nil || filepath.IsAbs(file) || strings.HasPrefix(file, examplePrefix) {
			return data, err
		}
		return openFirmware(filepath.Join(filepath.Dir(name), file))
	}
}

// noteImages says what is odd about the firmware files.
func noteImages(w *world.World, term *terminal) {
	said := map[string]bool{}
	for _, m := range w.Motes() {
		for _, note := range m.Kind.Image.Notes {
			line := fmt.Sprintf("%s: %s", m.Kind.Image.Path, note)
			if !said[line] {
				term.note("%s", line)
			}
			said[line] = true
		}
	}
}

// attach has the properties looked at while a session runs.
func (x *watch) attach(s *live.Session) {
	if x == nil {
		return
	}
	s.Slice = lookEvery
	progress := s.Progress
	s.Progress = func(now uint64) {
		_ = x.monitor.Look() // what was dropped is told at the end
		if progress != nil {
			progress(now)
		}
	}
}

// answer puts what was found into the report, with the verdict.
func (x *watch) answer(doc *report.Run, w *world.World, interrupted bool) {
	var leftOut []string
	if interrupted {
		leftOut = append(leftOut, verdict.Interrupted)
	}
	defer func() { doc.Judge(leftOut) }()
	if x == nil {
		return
	}
	_ = x.monitor.Look()
	for _, d := range x.monitor.Dropped() {
		doc.Dropped = append(doc.Dropped, report.Dropped{Property: d.Property.Name, Where: d.Property.Pos.String(), Error: d.Err.Error()})
	}
	for _, v := range x.monitor.Violations() {
		y := report.Violation{Property: v.Property, Kind: v.Kind.String(), Where: v.Pos.String(), TimeS: float64(v.Time) / world.Second, Count: v.Count}
		for _, i := range v.Motes {
			y.Motes = append(y.Motes, int(w.Motes()[i].ID()))
		}
		doc.Violations = append(doc.Violations, y)
	}
	leftOut = append(leftOut, x.leftOut...)
	if len(w.Config().Faults) > 0 {
		leftOut = append(leftOut, "the scenario's faults: run only loses frames on lossy links; check and symbolic try the faults")
	}
	for _, p := range x.monitor.Missed() {
		leftOut = append(leftOut, fmt.Sprintf("%s: %s %q: not evaluated at that moment; properties are evaluated every %v, and the run ended at %s", p.Pos,
			p.Kind, p.Name, time.Duration(lookEvery/1000), seconds(w.Now())))
	}
	for _, p := range x.monitor.Unmet() {
		doc.Unmet = append(doc.Unmet, report.Unmet{Property: p.Name, Where: p.Pos.String()})
		leftOut = append(leftOut, fmt.Sprintf("%s: whether %q holds later", p.Pos, p.Name))
	}
}
