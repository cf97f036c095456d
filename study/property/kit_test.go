package property_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/study/finding"
	"motehound/study/property"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/scenario"
)

// The modes of testdata/steps.c.
const (
	fine = iota
	overrun
	level
	fail
	peek
	read
	refuse
	copied
	header
	twice
	nothing
)

var (
	steps      = sync.OnceValues(func() (*mote.Kind, error) { return build("steps") })
	components = sync.OnceValues(func() (*mote.Kind, error) { return build("components") })
)

// build compiles a program of testdata.
func build(name string) (*mote.Kind, error) {
	dir, err := os.MkdirTemp("", name)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	elf := filepath.Join(dir, name+".elf")
	args := []string{"-mmcu=atmega128", "-gdwarf-4", "-std=gnu99", "-Os", "-fno-common", "-fdebug-prefix-map=" + wd + "=.", "-o", elf, "testdata/" + name + ".c"}
	if out, err := exec.Command("avr-gcc", args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("avr-gcc (packages gcc-avr, avr-libc): %w\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		return nil, err
	}
	return mote.NewKind(board.Bare(&chip.ATmega128, 8_000_000), im, nil)
}

// stage is a network of motes of testdata/steps.c, each in a mode, in a line.
type stage struct {
	cfg      *world.Config
	sc       *scenario.Scenario
	prepared *property.Prepared
}

// marked puts line numbers of testdata/steps.c in the place of its marks.
func marked(t testing.TB, texts []string) []string {
	t.Helper()
	source, err := os.ReadFile("testdata/steps.c")
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	for i, line := range strings.Split(string(source), "\n") {
		if _, mark, ok := strings.Cut(line, "// @"); ok {
			pairs = append(pairs, "@"+mark, fmt.Sprint(i+1))
		}
	}
	lines := strings.NewReplacer(pairs...)
	var list []string
	for _, text := range texts {
		list = append(list, lines.Replace(text))
	}
	return list
}

func load(t testing.TB, motes int, text string) *scenario.Scenario {
	t.Helper()
	list := fmt.Sprintf("network(motes = [mote(id = i, chip = 'atmega128', hertz = 8000000, firmware = 'steps.elf') for i in range(%d)], links = line(%d))\n", motes, motes)
	sc, err := scenario.LoadFS(fstest.MapFS{"a.star": {Data: []byte(list + marked(t, []string{text})[0])}}, "a.star", scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func newStage(t testing.TB, text string, opt property.Options, modes ...int64) *stage {
	t.Helper()
	s := stageOf(t, steps, len(modes))
	for i, m := range modes {
		s.cfg.Motes[i].Vars = []world.Variable{{Path: "mode", Value: m}}
	}
	s.prepare(t, text, opt)
	return s
}

// stageOf is a line of motes of a program.
func stageOf(t testing.TB, program func() (*mote.Kind, error), motes int) *stage {
	t.Helper()
	need.Tools(t, "avr-gcc")
	k, err := program()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{cfg: &world.Config{}}
	for i := range motes {
		s.cfg.Motes = append(s.cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i)})
	}
	if s.cfg.Net, err = medium.New(motes, medium.Line(motes, -60, 0)); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stage) prepare(t testing.TB, text string, opt property.Options) {
	t.Helper()
	var err error
	s.sc = load(t, len(s.cfg.Motes), text)
	if s.prepared, err = property.Prepare(s.cfg, s.sc, opt); err != nil {
		t.Fatal(err)
	}
}

// open makes a world with its suite.
func (s *stage) open(t testing.TB) (*world.World, *property.Suite) {
	t.Helper()
	w, err := world.New(s.cfg, world.Natural{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	suite, err := s.prepared.Attach(w)
	if err != nil {
		t.Fatal(err)
	}
	return w, suite
}

// step runs a world for a millisecond and looks.
func step(t testing.TB, w *world.World, s *property.Suite) []finding.Violation {
	t.Helper()
	w.RunUntil(w.Now() + world.Millisecond)
	list, err := s.Look(-1)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// run runs a stage for a while and gives what was broken, each with the millisecond.
func (s *stage) run(t testing.TB, milliseconds int) []string {
	t.Helper()
	w, suite := s.open(t)
	var got []string
	for range milliseconds {
		for _, v := range step(t, w, suite) {
			got = append(got, show(v))
		}
	}
	return got
}

func show(v finding.Violation) string {
	text := fmt.Sprintf("%s on %d", v.Property, v.Mote)
	if v.Function != "" {
		text += " in " + v.Function
	}
	if v.File != "" {
		text += fmt.Sprintf(" (%s:%d)", filepath.Base(v.File), v.Line)
	}
	if v.Harmless {
		text += " harmless"
	}
	return text + ": " + v.Detail
}

func equal(t testing.TB, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
