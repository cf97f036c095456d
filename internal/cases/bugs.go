package cases

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"

	"motehound/examples"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/property"
	"motehound/world/scenario"
)

// Fixed is the build of each example without the bug.
const Fixed = "_fixed"

// Bug is one of T-Check's bugs, in an example of ours: the scenario, the build that has it, and as what check has to report it.
type Bug struct {
	Name  string
	File  string // of the scenario, from the folder of the examples
	Build string
	// Property is what is violated, and Functions is where, any of them; none for properties that belong to no function.
	Property  string
	Functions []string
	Paper     *Published // nil if the paper's table does not have it
}

// Published is a row of the paper's Table 3: events, with two motes and with eight. 0 means that the bug was not found.
type Published struct {
	Name     string
	Search   [2]int // length of the trace
	Explored [2]int // events that the search fired
	Walk     [2]int
	Shortest int // with eight motes
}

// Bugs are all of them.
var Bugs = []Bug{
	{"reversed", "serialbuf/reversed.star", "_reversed", "a free buffer takes the frame", nil,
		&Published{"SerialDispatcherP (reversed switch)", [2]int{50, 50}, [2]int{100, 100}, [2]int{2280, 2280}, 110}},
	{"locked", "serialbuf/locked.star", "_locked", "serial buffers unlock", nil, nil},
	{"readings", "readings/readings.star", "", "memory: bounds", []string{"ReadingsC.readDone"},
		&Published{"MultihopOscilloscopeC (OOB)", [2]int{104, 0}, [2]int{1081717, 0}, [2]int{89273, 39964}, 111}},
	{"null", "dissem/dissem.star", "_null", "memory: null", []string{"SummaryP.send"},
		&Published{"DipSummaryP (NULL pointer)", [2]int{1139, 156}, [2]int{1139, 16108781}, [2]int{33883, 14150}, 1464}},
	{"step", "dissem/dissem.star", "_step", "memory: bounds", []string{"SummaryP.doubtOf", "SummaryP.around"},
		&Published{"DipSummaryP (OOB #1)", [2]int{252, 46}, [2]int{252, 46}, [2]int{11821, 3729}, 1332}},
	{"end", "dissem/dissem.star", "_end", "memory: bounds", []string{"SummaryP.doubtOf", "SummaryP.around", "SummaryP.hash"},
		&Published{"DipSummaryP (OOB #2)", [2]int{158, 146}, [2]int{75683, 488537}, [2]int{11787, 34339}, 2831}},
	{"rest", "dissem/dissem.star", "_rest", "memory: bounds", []string{"SummaryP.hash"},
		&Published{"DipSummaryP (OOB #3)", [2]int{0, 0}, [2]int{0, 0}, [2]int{11935, 40611}, 3246}},
	{"bitvector", "bitvector/bitvector.star", "", "memory: bounds", []string{"BitvectorC.putBits", "BitvectorC.compare"},
		&Published{"DhvVBitP (OOB)", [2]int{2880, 140}, [2]int{593827, 26536472}, [2]int{10607, 7384}, 2891}},
	{"versions", "versions/versions.star", "", "memory: bounds", []string{"VersionsC.heard", "VersionsC.set"}, nil},
	{"orphan", "orphan/orphan.star", "", "all that have a path to the root are in the tree", nil, nil},
}

// Is tells whether a finding is this bug.
func (b Bug) Is(f *check.Finding) bool {
	return f.Property == b.Property && (len(b.Functions) == 0 || slices.Contains(b.Functions, f.Function))
}

// Network is what a bug's scenario is given instead of what stands at its beginning.
type Network struct {
	Board, Build string
	Motes        int
	AnyOrder     bool // whatever the order of events, a finding counts
}

// System makes a scenario of the examples ready to be explored. The root is the folder of the examples.
func System(root fs.FS, file string, n Network) (*explore.System, error) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, err
	}
	own := string(text)
	for _, v := range [...]struct{ name, value string }{
		{"board", fmt.Sprintf("%q", n.Board)}, {"build", fmt.Sprintf("%q", n.Build)}, {"motes", fmt.Sprint(n.Motes)},
	} {
		if own, err = assign(own, v.name, v.value); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return load(file, own, n.Board, n.AnyOrder)
}

// assign gives a name at the beginning of a scenario another value, as a user does who edits the file.
func assign(text, name, value string) (string, error) {
	line := regexp.MustCompile(`(?m)^` + name + ` = .*$`)
	if n := len(line.FindAllString(text, -1)); n != 1 {
		return "", fmt.Errorf("%d lines set %s, not one", n, name)
	}
	return line.ReplaceAllLiteralString(text, name+" = "+value), nil
}

// Load makes the text of a scenario ready to be explored, with all checks. Its firmware is that of the examples.
func Load(file, text, board string) (*explore.System, error) { return load(file, text, board, false) }

func load(file, text, board string, anyOrder bool) (*explore.System, error) {
	s, err := scenario.LoadFS(fstest.MapFS{file: {Data: []byte(text)}}, file, scenario.Options{})
	if err != nil {
		return nil, err
	}
	r, err := s.Recipe()
	if err != nil {
		return nil, err
	}
	w, err := s.World(r, func(name string) ([]byte, error) {
		app, _ := strings.CutSuffix(path.Base(name), "-"+board+".elf")
		f, ok := examples.Find(app, board)
		if !ok {
			return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
		}
		return f.ELF(), nil
	})
	if err != nil {
		return nil, err
	}
	plan, err := property.Prepare(w.Config(), s, property.Options{Explore: true})
	if err != nil {
		return nil, err
	}
	return explore.New(w.Config(), explore.Options{Plan: plan, AnyOrder: anyOrder, Preempt: explore.UsualPreempt})
}

// Defaults is what motehound check does if it is not told otherwise, but for its bound on time. A test of that command compares.
func Defaults() check.Options {
	const reach = 10_000
	return check.Options{
		Mode: check.ModeBoth, Threads: 1, Seed: 1,
		Search:   check.SearchOptions{Depth: 12, Deepen: true, Reduce: check.Dynamic, Events: 100_000},
		Walk:     check.WalkOptions{Walks: 10_000, Events: 300_000, Threshold: check.DefaultThreshold, Prefix: 3_000, First: true},
		Critical: check.CriticalOptions{Walks: 3, Events: reach},
		Minimise: check.MinimiseOptions{Walks: 1, Reach: reach, Events: 300_000},
	}
}
