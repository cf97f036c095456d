package job

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// Watch is the properties of a scenario during a run; nil for a run without one.
type Watch struct {
	Scenario *scenario.Scenario
	monitor  *scenario.Monitor
	LeftOut  []string // what a timed run does not heed
	Unheeded []string // and what exploration does not
}

// lookEvery is how often properties are looked at, in virtual time.
const lookEvery = world.Millisecond

// Make makes what a firmware file and the request, or a scenario, ask for.
func (f *World) Make(name string, h Host) (*recipe.Recipe, *world.World, *Watch, error) {
	if !IsScenario(name) {
		if len(f.Params) > 0 {
			return nil, nil, nil, fmt.Errorf("--param %s: only scenarios have parameters, a firmware file has none", f.Params[0])
		}
		rec, err := f.recipe(name, h.note)
		if err == nil {
			err = f.SerialInput.add(rec, h)
		}
		if err == nil {
			err = f.listen(rec, h)
		}
		if err != nil {
			return nil, nil, nil, err
		}
		w, err := rec.World(OpenFirmware)
		if err == nil {
			NoteImages(w, h)
		}
		return rec, w, nil, err
	}
	if err := f.Check(); err != nil {
		return nil, nil, nil, err
	}
	if len(f.SerialIn) > 0 {
		return nil, nil, nil, fmt.Errorf("--serial-in: the scenario says what comes in: use serial(...) there")
	}
	if len(f.Buttons) > 0 {
		return nil, nil, nil, fmt.Errorf("--button: the scenario says what comes in: use button(...) there")
	}
	if len(f.Frames) > 0 {
		return nil, nil, nil, fmt.Errorf("--frame: the scenario says what comes in: use frame(...) there")
	}
	s, err := f.Scenario(name, h)
	if err != nil {
		return nil, nil, nil, err
	}
	rec, err := s.Recipe()
	if err != nil {
		return nil, nil, nil, err
	}
	if rec.Until == 0 || f.Time != nil {
		rec.Until = uint64(f.time().Nanoseconds()) * 1000
	}
	if f.Seed != nil {
		rec.Seed = *f.Seed
	}
	w, err := s.World(rec, OpenBeside(name))
	if err != nil {
		return nil, nil, nil, err
	}
	NoteImages(w, h)
	return rec, w, &Watch{s, scenario.NewMonitor(s, w), s.LeftOut(true), s.LeftOut(false)}, nil
}

// IsScenario tells a scenario from a firmware file by its name.
func IsScenario(name string) bool { return strings.HasSuffix(name, ".star") }

// Scenario loads a scenario with the parameters of the request.
func (f *World) Scenario(name string, h Host) (*scenario.Scenario, error) {
	opt := scenario.Options{Print: func(text string) { h.say("%s", text) }}
	for _, text := range f.Params {
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

// OpenBeside finds firmware from where the command runs, or beside a scenario.
func OpenBeside(name string) recipe.Opener {
	return func(file string) ([]byte, error) {
		if data, err := OpenFirmware(file); err == nil || filepath.IsAbs(file) || strings.HasPrefix(file, ExamplePrefix) {
			return data, err
		}
		return OpenFirmware(filepath.Join(filepath.Dir(name), file))
	}
}

// NoteImages says what is odd about the firmware files.
func NoteImages(w *world.World, h Host) {
	said := map[string]bool{}
	for _, m := range w.Motes() {
		for _, note := range m.Kind.Image.Notes {
			line := fmt.Sprintf("%s: %s", m.Kind.Image.Path, note)
			if !said[line] {
				h.note("%s", line)
			}
			said[line] = true
		}
	}
}

// look has the properties looked at while a world runs: how often, and what to call then.
func (x *Watch) look(progress func(now uint64)) (slice uint64, each func(now uint64)) {
	if x == nil {
		return 0, progress
	}
	return lookEvery, func(now uint64) {
		_ = x.monitor.Look() // what was dropped is told at the end
		if progress != nil {
			progress(now)
		}
	}
}

// scenario is the one that is watched; nil for none.
func (x *Watch) scenario() *scenario.Scenario {
	if x == nil {
		return nil
	}
	return x.Scenario
}

// answer puts what was found into the report, with the verdict. Some is left out anyway.
func (x *Watch) answer(doc *document.Run, w *world.World, leftOut []string, interrupted bool) {
	if interrupted {
		leftOut = append(leftOut, verdict.Interrupted)
	}
	defer func() { doc.Judge(leftOut) }()
	if x == nil {
		return
	}
	_ = x.monitor.Look()
	for _, d := range x.monitor.Dropped() {
		doc.Dropped = append(doc.Dropped, document.Dropped{Property: d.Property.Name, Where: d.Property.Pos.String(), Error: d.Err.Error()})
	}
	for _, v := range x.monitor.Violations() {
		y := document.Violation{Property: v.Property, Kind: v.Kind.String(), Where: v.Pos.String(), TimeS: float64(v.Time) / world.Second, Count: v.Count}
		for _, i := range v.Motes {
			y.Motes = append(y.Motes, int(w.Motes()[i].ID()))
		}
		doc.Violations = append(doc.Violations, y)
	}
	leftOut = append(leftOut, x.LeftOut...)
	if len(w.Config().Faults) > 0 {
		leftOut = append(leftOut, "the scenario's faults: run only loses frames on lossy links; check and symbolic try the faults")
	}
	for _, p := range x.monitor.Missed() {
		leftOut = append(leftOut, fmt.Sprintf("%s: %s %q: not evaluated at that moment; properties are evaluated every %v, and the run ended at %s", p.Pos,
			p.Kind, p.Name, time.Duration(lookEvery/1000), phrase.Seconds(w.Now())))
	}
	for _, p := range x.monitor.Unmet() {
		doc.Unmet = append(doc.Unmet, document.Unmet{Property: p.Name, Where: p.Pos.String()})
		leftOut = append(leftOut, fmt.Sprintf("%s: whether %q holds later", p.Pos, p.Name))
	}
}
