package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"motehound/show/live"
	"motehound/show/report"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// watch is the properties of a scenario during a run; nil for a run without one.
type watch struct {
	scenario *scenario.Scenario
	monitor  *scenario.Monitor
}

// lookEvery is how often properties are looked at, in virtual time.
const lookEvery = world.Millisecond

// world makes what a firmware file and the flags, or a scenario, ask for.
func (f *worldFlags) world(name string, term *terminal) (*recipe.Recipe, *world.World, *watch, error) {
	if !strings.HasSuffix(name, ".star") {
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
	s, err := scenario.Load(name, scenario.Options{Print: func(text string) { term.say("%s", text) }})
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
	for _, line := range s.LeftOut(!f.explores) {
		term.note("%s: %s", name, line)
	}
	return rec, w, &watch{s, scenario.NewMonitor(s, w)}, nil
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

// answer puts what was found into the report.
func (x *watch) answer(doc *report.Run) {
	if x == nil {
		return
	}
	_ = x.monitor.Look()
	for _, d := range x.monitor.Dropped() {
		doc.Dropped = append(doc.Dropped, report.Dropped{Property: d.Property.Name, Where: d.Property.Pos.String(), Error: d.Err.Error()})
	}
	for _, v := range x.monitor.Violations() {
		doc.Violations = append(doc.Violations, report.Violation{Property: v.Property, Kind: v.Kind.String(), Where: v.Pos.String(),
			TimeS: float64(v.Time) / world.Second, Motes: v.Motes, Count: v.Count})
	}
	for _, p := range x.monitor.Unmet() {
		doc.Unmet = append(doc.Unmet, report.Unmet{Property: p.Name, Where: p.Pos.String()})
	}
}
