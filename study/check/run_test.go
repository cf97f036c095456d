package check

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/study/finding"
	"motehound/study/verdict"
)

// figure1 is the paper's Figure 1 with numbers for toys.
func figure1(seed uint64) Options {
	return Options{Mode: ModeBoth, Seed: seed, Threads: 2, Steady: 20, Search: SearchOptions{Depth: 4},
		Walk: WalkOptions{Walks: 30, Events: 1500, Threshold: 400}, Critical: CriticalOptions{Events: 300}, Minimise: MinimiseOptions{Reach: 200, Changes: 200}}
}

func run(t *testing.T, p *program, o Options) *Report {
	t.Helper()
	s := newToy(p)
	r, err := Run(s, o)
	if err != nil {
		t.Fatal(err)
	}
	s.leaks(t, "run")
	if string(s.vars) != string(p.initial) {
		t.Error("the system is not as it was")
	}
	for _, f := range r.Findings {
		if !f.Replayed {
			t.Errorf("%v was not replayed", f)
		}
		if err := confirmed(newToy(p), f, nil); err != nil {
			t.Errorf("%v: %v", f, err)
		}
	}
	return r
}

// twofold is a system in which whatever breaks something breaks a second thing with it.
type twofold struct{ *toy }

func (s twofold) Clone() System         { return twofold{s.toy.Clone().(*toy)} }
func (s twofold) CopyFrom(other System) { s.toy.CopyFrom(other.(twofold).toy) }

func (s twofold) Fire(e Event) (Step, error) {
	step, err := s.toy.Fire(e)
	for _, v := range step.Violations {
		v.Property = "a consequence"
		step.Violations = append(step.Violations, v)
	}
	return step, err
}

// Of what one transition breaks the first comes first, and the rest has the same short trace.
func TestRunTogether(t *testing.T) {
	o := figure1(1)
	o.Mode = ModeWalk
	r, err := Run(twofold{newToy(readings(2, 3))}, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 2 {
		t.Fatalf("there are %d findings: %v", len(r.Findings), r.Findings)
	}
	f, g := r.Findings[0], r.Findings[1]
	if f.Property == "a consequence" || g.Property != "a consequence" || f.Rank != 0 || g.Rank != 1 {
		t.Errorf("the order is %v, %v", f, g)
	}
	if len(f.Trace) >= f.Before || !slices.Equal(f.Trace, g.Trace) || !g.Replayed || g.Before != f.Before {
		t.Errorf("%v has %d events, %v has %d", f, len(f.Trace), g, len(g.Trace))
	}
}

// Steady state, search, walks from where it ended, critical transition: all in one.
func TestRunBoth(t *testing.T) {
	for seed := range uint64(5) {
		r := run(t, readings(2, 3), figure1(seed))
		if r.Case().Verdict() != verdict.Violated || len(r.Findings) != 1 || len(r.Findings[0].Trace) != 8 || r.Findings[0].Before < 8 {
			t.Errorf("readings, seed %d: %s, %v", seed, r.Case().Verdict(), r.Findings)
		}
		o := figure1(seed)
		o.Walk.NoLasso = true
		r = run(t, orphans(true), o)
		if r.Case().Verdict() != verdict.Violated || len(r.Findings) != 1 {
			t.Fatalf("orphans, seed %d: %s, %v", seed, r.Case().Verdict(), r.Findings)
		}
		f := r.Findings[0]
		if e := f.Trace[f.Critical.After-1]; e.Class != Fault || e.Mote != 1 {
			t.Errorf("orphans, seed %d: critical is %+v, %v", seed, f.Critical, e)
		}
		if r = run(t, orphans(false), figure1(seed)); len(r.Findings) != 0 || r.Case().Verdict() != verdict.Unknown && r.Case().Verdict() != verdict.Holds {
			t.Errorf("orphans repaired, seed %d: %s %v", seed, r.Case().Verdict(), r.Findings)
		}
	}
}

// Faults, healing, and a network that does not come back: found, explained, made short, with the healing kept in the trace.
func TestRunHeal(t *testing.T) {
	p := orphans(true)
	p.actions[0].sets = append(p.actions[0].sets, put(orphanGap, 1))
	p.actions[1].guards = append(p.actions[1].guards, guard{orphanGap, 0})
	p.actions[5].sets = []assign{put(orphanMature, 0)}
	for _, lasso := range []bool{false, true} {
		r := run(t, p, Options{Mode: ModeWalk, Seed: 2, Walk: WalkOptions{Walks: 20, Events: 3000, Threshold: 300, Prefix: 60, Heal: true,
			NoLasso: !lasso}})
		if r.Case().Verdict() != verdict.Violated || len(r.Findings) != 1 {
			t.Fatalf("%s %v", r.Case().Verdict(), r.Findings)
		}
		f := r.Findings[0]
		way := f.Trace[:len(f.Trace)-f.Cycle]
		if len(way) > 4 || !slices.Contains(way, Healing) || !slices.ContainsFunc(way, func(e Event) bool { return e.Class == Fault && e != Healing }) {
			t.Errorf("lasso %t: %v", lasso, way)
		}
		if e := f.Trace[f.Critical.After-1]; e.Class != Fault || e.Mote != 1 {
			t.Errorf("lasso %t: critical is %+v, %v", lasso, f.Critical, e)
		}
	}
}

func TestVerdicts(t *testing.T) {
	search := func(depth int) Options { return Options{Mode: ModeSearch, Search: SearchOptions{Depth: depth}} }
	walk := Options{Mode: ModeWalk, Walk: WalkOptions{Walks: 20, Events: 200}}
	safe := readings(1, 3)
	safe.bad = nil
	for _, c := range []struct {
		name    string
		p       *program
		o       Options
		verdict verdict.Verdict
		because string
	}{
		{"all there is", election(3, 0), search(0), verdict.Holds, "every possible run, by reduction dynamic"},
		{"to a depth", safe, search(3), verdict.Holds, "every run of at most 3 events"},
		{"goals to a depth", orphans(false), search(3), verdict.Unknown, "every run of at most 3 events"},
		{"goals in all states", orphans(false), search(0), verdict.Holds, "searched for fair cycles"},
		{"a lasso", orphans(true), search(0), verdict.Violated, "1 causes"},
		{"walks", safe, walk, verdict.Unknown, "20 random walks"},
		{"walks that find", election(3, 1), walk, verdict.Violated, "1 causes"},
		{"too short a search", readings(1, 3), search(5), verdict.Holds, "at most 5 events"},
		{"long enough", readings(1, 3), search(8), verdict.Violated, "1 causes"},
	} {
		c.o.Critical.Events = 300
		r := run(t, c.p, c.o)
		if r.Case().Verdict() != c.verdict || !strings.Contains(r.Because(), c.because) {
			t.Errorf("%s: %s because of %s; want %s because of %s", c.name, r.Case().Verdict(), r.Because(), c.verdict, c.because)
		}
	}
	if _, err := Run(newToy(safe), Options{Mode: "dance"}); err == nil {
		t.Error("a mode that is not there is taken")
	}
	if _, err := ParseReduction("dynamic"); err != nil {
		t.Error(err)
	}
	if _, err := ParseReduction("all"); err == nil {
		t.Error("a reduction that is not there is taken")
	}
}

// A goal that is late but in reach is no finding.
func TestRefuted(t *testing.T) {
	// A counter that has to come round, slower than the threshold.
	p := &program{values: 200, motes: 1, healed: -1, initial: []uint8{0}}
	p.actions = []action{act(0, Interrupt, 0, 0, nil, assign{v: 0, x: 0, a: 1, c: 1})}
	p.goals = []goalState{{finding.Goal{Property: "round", Mote: 0}, 0, 0}}
	r := run(t, p, Options{Mode: ModeWalk, Walk: WalkOptions{Walks: 1, Events: 500, Threshold: 50}, Critical: CriticalOptions{Events: 500}})
	if r.Case().Verdict() != verdict.Unknown || len(r.Findings) != 0 || len(r.Refuted) != 1 {
		t.Errorf("%s %v, refuted %v", r.Case().Verdict(), r.Findings, r.Refuted)
	}
}

func openLog(t *testing.T, path string) *Log {
	t.Helper()
	l, err := OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func summary(r *Report) string {
	s := string(r.Case().Verdict())
	for _, f := range r.Findings {
		s += fmt.Sprintf("\n%v %v %v %d %v", f, f.Evidence, f.Motes, f.Cycle, f.Trace)
	}
	return s
}

// An exploration that is stopped again and again, and gone on with, ends like one that was not.
func TestResume(t *testing.T) {
	for seed := range uint64(60) {
		p := randomProgram(seed)
		redo := uint64(0)
		if seed%4 == 3 { // parts that are done are skipped, with states kept: what a bound cuts is not known then, so no goals
			p, redo = looseProgram(seed), 1
		}
		for _, mode := range []Mode{ModeWalk, ModeSearch, ModeBoth} {
			o := Options{Mode: mode, Seed: seed, Search: SearchOptions{Depth: 7, Stateless: seed%2 == 0, Deepen: seed%3 == 0, redo: redo},
				Walk: WalkOptions{Walks: 60, Events: 80, Threshold: 40}, Critical: CriticalOptions{Events: 100, Walks: 5},
				Minimise: MinimiseOptions{Reach: 60, Changes: 20}, Threads: 1 + int(seed%2)}
			if mode == ModeBoth {
				// With one thread it is always the same trace that leads to a state at the bound.
				o.Search.Depth, o.Steady, o.Threads = 3, 4, 1
			}
			want := run(t, p, o)
			path := filepath.Join(t.TempDir(), "log")
			for patience := 2; ; patience += 2 {
				if patience > 4000 {
					t.Fatalf("seed %d, %s: no end", seed, mode)
				}
				o.Log = openLog(t, path)
				known := len(o.Log.Findings())
				stop := newFuse(patience)
				o.Stop = stop.burnt
				got := run(t, p, o)
				if len(got.Findings)+len(got.Refuted) < known && !got.Stopped {
					t.Errorf("seed %d, %s: findings are lost", seed, mode)
				}
				o.Log.Close()
				if got.Stopped || got.Search != nil && !got.Search.Complete {
					continue
				}
				if summary(got) != summary(want) {
					t.Fatalf("seed %d, %s: got %s\nwant %s", seed, mode, summary(got), summary(want))
				}
				break
			}
		}
	}
}

// A log of something else is refused.
func TestLogIdentity(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	o := Options{Mode: ModeSearch, Search: SearchOptions{Depth: 3}, Log: openLog(t, path), Identity: "this"}
	run(t, readings(1, 1), o)
	o.Log.Close()
	o.Log, o.Identity = openLog(t, path), "that"
	defer o.Log.Close()
	if _, err := Run(newToy(readings(1, 1)), o); err == nil {
		t.Error("another exploration's log is gone on with")
	}
}

// Wherever a crash cuts the log, what was whole before is there.
func TestLogCut(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log")
	l := openLog(t, path)
	for i := range 5 {
		if err := l.write(record{Finding: &Finding{Violation: finding.Violation{Property: fmt.Sprint("p", i), Kind: finding.Safety}}}, true); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(dir, "cut")
	for n := range len(data) + 1 {
		if err := os.WriteFile(cut, data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		l := openLog(t, cut)
		whole := strings.Count(string(data[:n]), "\n")
		if got := len(l.Findings()); got != whole {
			t.Fatalf("cut after %d bytes: %d findings, want %d", n, got, whole)
		}
		if err := l.write(record{Finding: &Finding{Violation: finding.Violation{Property: "new", Kind: finding.Safety}}}, false); err != nil {
			t.Fatal(err)
		}
		l.Close()
		l = openLog(t, cut)
		if got := len(l.Findings()); got != whole+1 {
			t.Fatalf("cut after %d bytes, and gone on: %d findings, want %d", n, got, whole+1)
		}
		l.Close()
	}
}

// A log that was changed, or from which a line is missing, is refused by its name and line.
func TestLogChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l := openLog(t, path)
	for i := range 3 {
		if err := l.write(record{Walked: &walked{Walks: i}}, true); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, data []byte, line int) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenLog(path); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s:%d is damaged", path, line)) {
			t.Errorf("%s: got %v, want line %d", what, err, line)
		}
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	for n := range len(data) - 1 {
		if data[n] == '\n' {
			continue
		}
		changed := slices.Clone(data)
		changed[n] ^= 1
		refused(fmt.Sprintf("byte %d changed", n), changed, 1+bytes.Count(data[:n], []byte("\n")))
	}
	refused("a line is missing", slices.Concat(lines[0], lines[2]), 2)
	refused("lines are in another order", slices.Concat(lines[0], lines[2], lines[1]), 2)
}

// The process dies, without any warning, as soon as it reports a finding: the log has it.
func TestKill(t *testing.T) {
	if path := os.Getenv("CHECK_KILL_LOG"); path != "" {
		o := figure1(1)
		o.Log = openLog(t, path)
		o.Found = func(f *Finding) {
			if !f.Replayed {
				t.Error("shown before it was replayed")
			}
			fmt.Println("FOUND", f.Property)
		}
		run(t, readings(2, 3), o)
		return
	}
	path := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command(os.Args[0], "-test.run=^TestKill$")
	cmd.Env = append(os.Environ(), "CHECK_KILL_LOG="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	found := ""
	for found == "" && lines.Scan() {
		found, _ = strings.CutPrefix(lines.Text(), "FOUND ")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Log(err)
	}
	_ = cmd.Wait() // it was killed
	l := openLog(t, path)
	defer l.Close()
	if all := l.Findings(); len(all) != 1 || all[0].Property != found {
		t.Errorf("reported %q, kept %v", found, all)
	}
	o := figure1(1)
	o.Log = l
	if r := run(t, readings(2, 3), o); r.Case().Verdict() != verdict.Violated || len(r.Findings) != 1 {
		t.Errorf("gone on: %s", summary(r))
	}
}

// Whatever a log holds, going on from it gives a report or an error.
func FuzzLog(f *testing.F) {
	o := figure1(1)
	o.Threads, o.Walk.Walks, o.Walk.Events, o.Walk.Threshold, o.Critical.Events, o.Minimise.Reach = 1, 2, 30, 10, 10, 10
	f.Add(`{"identity":"x"}`)
	f.Add(`{"finding":{"property":"in the tree","kind":"liveness","mote":2,"trace":[[3,0,0,0,0]],"evidence":"lasso","cycle":1}}`)
	f.Add(`{"finding":{"property":"in the tree","kind":"liveness","mote":2,"trace":[[1,3,0,0,0],[3,0,0,0,0]],"evidence":"sampled","critical":{"after":2}}}`)
	f.Add(`{"searched":{"result":{"complete":true,"frontier":[[[9,9,9,9,9]]]}}}`)
	f.Add(`{"walked":{"walks":1}}`)
	f.Add(`{"item":{"depth":4,"item":0}}`)
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "log")
		head, _ := json.Marshal(record{Identity: o.identity()})
		var file []byte
		var sums Log
		for _, line := range []string{string(head), text} {
			sums.sum = sums.checksum([]byte(line))
			file = fmt.Appendf(file, "%08x %s\n", sums.sum, line)
		}
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := OpenLog(path)
		if err != nil {
			return
		}
		defer l.Close()
		o := o
		o.Log = l
		if r, err := Run(newToy(orphans(true)), o); err == nil && r == nil {
			t.Error("neither a report nor an error")
		}
	})
}

// Where somebody is patient, walks go on behind what ends no walk, until something does.
func TestPatient(t *testing.T) {
	p := counting(2) // the second count takes 600 events
	p.bad[1].harmless = false
	o := Options{Mode: ModeWalk, Walk: WalkOptions{Walks: 100, Events: 450, Prefix: 160, First: true}}
	hasty, err := Run(newToy(p), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Walk.Patient = true
	patient, err := Run(newToy(p), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(hasty.Findings) != 1 || hasty.Walks != 1 || len(patient.Findings) != 2 || patient.Walks < 2 || patient.Walks == o.Walk.Walks {
		t.Errorf("%v in %d walks, with patience %v in %d", hasty.Findings, hasty.Walks, patient.Findings, patient.Walks)
	}
}
