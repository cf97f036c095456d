package hunt

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"motehound/internal/cases"
	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
)

// hunting hunts for so many events, on one thread and without a clock.
func hunting(t *testing.T, r Request, total uint64) *document.Hunted {
	t.Helper()
	r.Budget, r.Threads, r.Total = 0, 1, total
	if r.Store == findings.Folder {
		r.Store = filepath.Join(t.TempDir(), "store")
	}
	got, err := r.Do(context.Background(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// totals are the events that it takes until the bugs of some examples are found: by run, by check, by fuzz, and by symbolic.
var totals = map[string]uint64{"novolatile": 1_000, "nested": 120_000, "overrun": 20_000, "reversed": 20_000, "tinytcp port": 20_000}

// The bug is the first or the second finding, at its function; and where it is fixed there is no violation and no race.
func TestHunts(t *testing.T) {
	for _, h := range cases.Hunts() {
		total, ok := totals[h.Name]
		if !ok {
			continue
		}
		for _, fixed := range []bool{false, true} {
			name := h.Name
			if fixed {
				name += cases.Fixed
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				file, err := h.Subject("../../examples", t.TempDir(), fixed)
				if err != nil {
					t.Fatal(err)
				}
				r := New(file)
				r.Board = h.Board
				d := hunting(t, r, total)
				rank := 0
				for n, f := range d.Findings {
					if h.Is(f.Property, f.Function) && rank == 0 {
						rank = n + 1
						if good := h.Name != "novolatile"; good != (f.Nearest != "") { // which goes wrong in every run
							t.Errorf("nearest good run: %q", f.Nearest)
						}
					}
					if fixed && f.Grade.Fails() {
						t.Errorf("%s: %s", f.Grade, f.Title)
					}
					if f.Grade.Fails() {
						replays(t, f)
					}
				}
				if !fixed && (rank == 0 || rank > 2 || d.Verdict != document.Violated) {
					t.Errorf("%s; rank %d of %d findings in %d events", d.Verdict, rank, len(d.Findings), d.Events)
				}
				if fixed && d.Verdict != document.Unknown {
					t.Errorf("%s", d.Verdict)
				}
			})
		}
	}
}

// replays wants the recipe that a finding names to be whole.
func replays(t *testing.T, f *document.HuntFinding) {
	t.Helper()
	got, err := job.Replay{Recipe: f.Replay, NoRepair: true}.Do(context.Background(), job.Host{})
	if err == nil {
		err = got.Refused()
	}
	if err != nil {
		t.Error(err)
	}
}

// The same request gives the same document, and a second hunt in the same store knows the findings of the first.
func TestSameAgain(t *testing.T) {
	t.Parallel()
	var docs [2][]byte
	for i := range docs {
		r := New("example:overrun")
		r.Board = "uno"
		folder := t.TempDir()
		r.Store = filepath.Join(folder, "store")
		d := hunting(t, r, 10_000)
		var b bytes.Buffer
		if err := document.Write(&b, d); err != nil {
			t.Fatal(err)
		}
		docs[i] = bytes.ReplaceAll(b.Bytes(), []byte(folder), nil)
		if i == 0 {
			continue
		}
		again := hunting(t, r, 10_000)
		if len(again.Findings) == 0 || again.Findings[0].State != findings.Confirmed || len(again.Changes.Still) != len(again.Findings) {
			t.Errorf("the second hunt: %+v", again.Changes)
		}
	}
	var a, b any
	if json.Unmarshal(docs[0], &a) != nil || json.Unmarshal(docs[1], &b) != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("the documents differ:\n%s\n%s", docs[0], docs[1])
	}
}

// An interrupted hunt keeps what it has, and leaves nothing else behind.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	r := New("example:novolatile")
	r.Board, r.Threads, r.Store = "uno", 1, filepath.Join(t.TempDir(), "store")
	got, err := r.Do(ctx, job.Host{Progress: func(p job.Progress) {
		if p.Kind == job.Note && p.Findings > 0 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Findings) != 1 || !got.Stopped || got.LeftOut[0] != document.Interrupted {
		t.Errorf("%d findings, left out %q", len(got.Findings), got.LeftOut)
	}
	store, err := findings.Open(r.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if all := store.All(); len(all) != 1 || all[0].Key != got.Findings[0].Key {
		t.Errorf("the store has %+v", all)
	}
	if _, err := os.Stat(filepath.Join(r.Store, "work")); err == nil {
		t.Error("what trials have written is still there")
	}
}

// A hunt with a damaged store says what is lost, and keeps the rest.
func TestDamagedStore(t *testing.T) {
	t.Parallel()
	r := New("example:novolatile")
	r.Board, r.Store, r.Engines = "uno", filepath.Join(t.TempDir(), "store"), []string{engineRun}
	if d := hunting(t, r, 1_000); d.Salvaged != nil || len(d.Findings) != 1 {
		t.Fatalf("%v, %d findings", d.Salvaged, len(d.Findings))
	}
	file := filepath.Join(r.Store, "store.db")
	data, err := os.ReadFile(file)
	if err == nil {
		copy(data, make([]byte, 8192)) // both pages that say where all else is
		err = os.WriteFile(file, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	d := hunting(t, r, 1_000)
	if d.Salvaged == nil || d.Salvaged.Findings != 1 || len(d.Changes.Still) != 1 {
		t.Errorf("%v; %+v", d.Salvaged, d.Changes)
	}
}

// What cannot be asked for is refused, with what to write instead.
func TestRefused(t *testing.T) {
	t.Parallel()
	for want, edit := range map[string]func(*Request){
		"--threads 0: give at least 1":                                   func(r *Request) { r.Threads = 0 },
		"--engine guess: there are [run check fuzz mine model symbolic]": func(r *Request) { r.Engines = []string{"guess"} },
		"--store: name a folder for findings":                            func(r *Request) { r.Store = "" },
	} {
		r := New("example:ring")
		edit(&r)
		if _, err := r.Do(context.Background(), job.Host{}); err == nil || err.Error() != want {
			t.Errorf("%v, not %s", err, want)
		}
	}
}

// A fix is seen, and so is the bug when it comes back. What is dismissed does not count.
func TestLife(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	r := New(filepath.Join(folder, "app.elf"))
	r.Board, r.Store, r.Engines = "uno", filepath.Join(folder, "store"), []string{engineFuzz}
	build := func(name string) *document.Hunted {
		t.Helper()
		data, err := os.ReadFile("../../examples/elf/" + name + "-uno.elf")
		if err == nil {
			err = os.WriteFile(r.File, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return hunting(t, r, 20_000)
	}
	found := build("overrun")
	if len(found.Changes.New) == 0 || found.Findings[0].State != findings.New || found.Findings[0].Test == "" {
		t.Fatalf("%+v", found.Changes)
	}
	if fixed := build("overrun_fixed"); len(fixed.Changes.Fixed) != len(found.Findings) || len(fixed.Findings) > 0 {
		t.Errorf("%+v", fixed.Changes)
	}
	if back := build("overrun"); len(back.Changes.CameBack) != len(found.Findings) || back.Findings[0].State != findings.CameBack {
		t.Errorf("%+v", back.Changes)
	}
	store, err := findings.Open(r.Store)
	if err == nil {
		for _, f := range found.Findings {
			_, err = store.Dismiss(f.Key, "nobody sends that")
		}
		store.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := build("overrun"); d.Verdict != document.Unknown || len(d.Changes.Dismissed) != len(found.Findings) {
		t.Errorf("%s: %+v", d.Verdict, d.Changes)
	}
}

// The regression scenario of a finding shows it, and nothing once it is fixed.
func TestRegression(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	r := New(filepath.Join(folder, "app.elf"))
	r.Board, r.Store, r.Engines = "uno", filepath.Join(folder, "store"), []string{engineFuzz}
	var scene string
	for _, build := range []string{"overrun", "overrun_fixed"} {
		data, err := os.ReadFile("../../examples/elf/" + build + "-uno.elf")
		if err == nil {
			err = os.WriteFile(r.File, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if scene == "" {
			scene = filepath.Join(r.Store, filepath.FromSlash(hunting(t, r, 20_000).Findings[0].Scenario))
		}
		got, err := job.Run{World: job.NewWorld(), File: scene}.Do(context.Background(), job.Host{})
		if err != nil {
			t.Fatal(err)
		}
		if shown := len(got.Document.Findings) > 0; shown != (build == "overrun") {
			t.Errorf("%s: %+v", build, got.Document.Findings)
		}
	}
}
