package findings

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the store of testdata anew; only for a new version")

// sample is a finding that differs from others by its number.
func sample(n int) Finding {
	return Finding{Grade: Violation, Severity: High, Confidence: Certain, Why: "it was replayed", Title: fmt.Sprintf("counter %d overflows in f%d", n, n),
		Property: "memory: bounds", Kind: "safety", Function: fmt.Sprintf("f%d", n), File: "app.c", Line: 10 + n, Detail: strings.Repeat("x", n%400),
		Engines: []string{"check"}, Last: Sight{Spent: 100}}
}

func create(t *testing.T, folder string) *Store {
	t.Helper()
	s, err := Create(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// hunt is a whole hunt that sees some samples.
func hunt(t *testing.T, s *Store, firmware string, samples ...int) *Outcome {
	t.Helper()
	h, err := s.Begin(Hunt{Subject: "app.elf", Firmware: firmware, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range samples {
		if _, err := s.Saw(h, sample(n)); err != nil {
			t.Fatal(err)
		}
	}
	h.Ended, h.Spent, h.Engines = true, 1000, []string{"check"}
	o, err := s.End(h, nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func keys(list []Finding) (keys []string) {
	for _, f := range list {
		keys = append(keys, f.Function)
	}
	slices.Sort(keys)
	return keys
}

// A bug is found, fixed and put back; the store is closed in between.
func TestStore(t *testing.T) {
	folder := filepath.Join(t.TempDir(), Folder)
	if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), "motehound hunt") {
		t.Fatalf("a store that is not there: %v", err)
	}
	show := func(o *Outcome) string {
		return fmt.Sprint(o.Hunt, " new ", keys(o.New), " still ", keys(o.Still), " back ", keys(o.CameBack), " fixed ", keys(o.Fixed), " not seen ", keys(o.NotSeen), " dismissed ", keys(o.Dismissed))
	}
	for n, c := range []struct {
		firmware string
		samples  []int
		dismiss  int
		want     string
	}{
		{"a", []int{1, 2}, 0, "1 new [f1 f2] still [] back [] fixed [] not seen [] dismissed []"},
		{"a", []int{1}, 0, "2 new [] still [f1] back [] fixed [] not seen [f2] dismissed []"},
		{"b", []int{2, 3}, 3, "3 new [f3] still [f2] back [] fixed [f1] not seen [] dismissed []"},
		{"c", []int{1, 3}, 0, "4 new [] still [] back [f1] fixed [f2] not seen [] dismissed [f3]"},
		{"d", nil, 0, "5 new [] still [] back [] fixed [f1] not seen [] dismissed []"},
	} {
		s, err := Create(folder)
		if err != nil {
			t.Fatal(err)
		}
		if s.Salvaged() != nil {
			t.Errorf("step %d: %v", n, s.Salvaged())
		}
		if got := show(hunt(t, s, c.firmware, c.samples...)); got != c.want {
			t.Errorf("step %d:\n got %s\nwant %s", n, got, c.want)
		}
		if c.dismiss != 0 {
			x := sample(c.dismiss)
			if list, err := s.Dismiss(x.Cause().Key()[:9], "a test"); err != nil || len(list) != 1 {
				t.Error(list, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if all := s.All(); len(all) != 3 || all[0].Subject != "app.elf" || len(s.hunts) != 5 {
		t.Errorf("%d findings, %d hunts", len(all), len(s.hunts))
	}
	if _, err := s.Find("zz"); err == nil {
		t.Error("zz was found")
	}
	if _, err := s.Find(""); err == nil {
		t.Error("the empty key was found")
	}
}

// A finding's files are there before the finding is.
func TestKeep(t *testing.T) {
	s := create(t, filepath.Join(t.TempDir(), Folder))
	h, err := s.Begin(Hunt{Subject: "app.elf", Firmware: "a"})
	if err != nil {
		t.Fatal(err)
	}
	f := sample(1)
	f.Subject = h.Subject
	f.Recipe = "findings/nothing.json"
	if _, err := s.Saw(h, f); err == nil {
		t.Error("a finding names a file that is not there")
	}
	if f.Recipe, err = s.Keep(&f, "recipe.json", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Saw(h, f); err != nil || got.Key != f.Cause().Key() || !strings.HasPrefix(got.Recipe, "findings/"+got.Key) {
		t.Error(got, err)
	}
	if got := s.Subject(filepath.Join(filepath.Dir(s.folder), "build", "app.elf")); got != "build/app.elf" {
		t.Errorf("subject %s", got)
	}
	if got := s.Subject("example:counter"); got != "example:counter" {
		t.Errorf("subject %s", got)
	}
}

// A second process is told who has the store.
func TestLock(t *testing.T) {
	folder := filepath.Join(t.TempDir(), Folder)
	create(t, folder)
	_, err := Create(folder)
	if err == nil || !strings.Contains(err.Error(), "in use by process "+strconv.Itoa(os.Getpid())) {
		t.Errorf("the second one got %v", err)
	}
}

// A store of every version that ever was opens.
func TestOldVersions(t *testing.T) {
	name := fmt.Sprintf("testdata/version-%d.db", Version)
	if *update {
		folder := filepath.Join(t.TempDir(), Folder)
		s := create(t, folder)
		hunt(t, s, "a", 1, 2)
		hunt(t, s, "b", 2)
		s.Close()
		data, err := os.ReadFile(filepath.Join(folder, fileName))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for v := 1; v <= Version; v++ {
		data, err := os.ReadFile(fmt.Sprintf("testdata/version-%d.db", v))
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, fileName), data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		all := s.All()
		old, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("%s.version-%d", fileName, v)))
		if kept := err == nil && string(old) == string(data); kept != (v < Version) {
			t.Errorf("version %d: the old file is kept: %t, %v", v, kept, err)
		}
		if s.Salvaged() != nil || len(all) != 2 || len(s.hunts) != 2 {
			t.Errorf("version %d: %v, %d findings, %d hunts", v, s.Salvaged(), len(all), len(s.hunts))
		}
		for _, f := range all {
			if want := map[string]State{"f1": Fixed, "f2": Confirmed}[f.Function]; f.State != want || f.Key != f.Cause().Key() {
				t.Errorf("version %d: %+v is not %s", v, f, want)
			}
		}
		if o := hunt(t, s, "c", 1); len(o.CameBack) != 1 {
			t.Errorf("version %d: %+v", v, o)
		}
		s.Close()
	}
}

// Findings of a Motehound that made keys in another way go on under their new keys, and two that have one cause now become one.
func TestOldKeys(t *testing.T) {
	folder := t.TempDir()
	s := create(t, folder)
	hunt(t, s, "a", 1)
	hunt(t, s, "b", 2)
	one, two := sample(1), sample(2)
	of := func(f Finding) *Finding { return s.findings[f.Cause().Key()+" app.elf"] }
	var list []change
	for key, f := range map[string]Finding{"0000000000000001": *of(one), "0000000000000002": *of(one), "0000000000000003": *of(two)} {
		list = append(list, change{bucketFindings, f.id(), nil})
		if f.Key = key; key == "0000000000000002" {
			f.First.Hunt, f.Last.Hunt, f.State, f.Reason = 2, 2, Dismissed, "known"
		}
		list = append(list, findingChange(&f))
	}
	if err := s.write(list); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for range 2 {
		s, err := Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		if s.Salvaged() != nil || len(s.findings) != 2 || len(s.catalogue.Findings) != 2 {
			t.Fatalf("%v, %d findings, %+v", s.Salvaged(), len(s.findings), s.catalogue)
		}
		if list, err := s.Find(one.Cause().Key()); err != nil || list[0].State != Dismissed || list[0].First.Hunt != 1 || list[0].Last.Hunt != 2 {
			t.Errorf("%+v, %v", list, err)
		}
		if _, err := s.Find("0000000000000003"); err == nil {
			t.Error("the old key is still there")
		}
		s.Close()
	}
}

// What version 2 says of symptoms is made up for, also in a damaged store that has lost its version, and is there when the store is opened again.
func TestMigrate(t *testing.T) {
	for _, damaged := range []bool{false, true} {
		folder := t.TempDir()
		s := create(t, folder)
		hunt(t, s, "a", 1, 2)
		symptom := *s.findings[s.All()[0].id()]
		symptom.Grade, symptom.Look = Symptom, ""
		symptom.Key = symptom.Cause().Key()
		if err := s.write([]change{findingChange(&symptom), {bucketStore, idVersion, 1}}); err != nil {
			t.Fatal(err)
		}
		s.Close()
		path := filepath.Join(folder, fileName)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if damaged {
			if err := os.WriteFile(path, append(make([]byte, 4096), data[4096:]...), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for round := range 2 {
			s, err := Open(folder)
			if err != nil {
				t.Fatal(err)
			}
			if (s.Salvaged() != nil) != (damaged && round == 0) || len(s.findings) != 3 {
				t.Errorf("round %d: %v, %d findings", round, s.Salvaged(), len(s.findings))
			}
			for _, f := range s.All() {
				if want := map[bool]string{true: NotLooked}[f.Grade == Symptom]; f.Look != want {
					t.Errorf("round %d: %s has %q, not %q", round, f.Grade, f.Look, want)
				}
			}
			s.Close()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			records, err := readPages(data)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := s.migrate(records); v != Version || err != nil {
				t.Errorf("round %d: the file has version %d, %v", round, v, err)
			}
		}
	}
}

// A store of a later version is left alone.
func TestNewerVersion(t *testing.T) {
	folder := t.TempDir()
	s := create(t, folder)
	if err := s.write([]change{{bucketStore, idVersion, Version + 1}}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("%v", err)
	}
}

const childFolder = "MOTEHOUND_TEST_STORE"

// TestChild is the process that TestKilled kills: it says what the store has acknowledged.
func TestChild(t *testing.T) {
	folder := os.Getenv(childFolder)
	if folder == "" {
		t.Skip("it is TestKilled's")
	}
	s, err := Create(folder)
	if err != nil {
		t.Fatal(err)
	}
	if s.Salvaged() != nil {
		t.Fatal(s.Salvaged())
	}
	for n := len(s.findings); ; n++ {
		h, err := s.Begin(Hunt{Subject: "app.elf", Firmware: "a"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Saw(h, sample(n)); err != nil {
			t.Fatal(err)
		}
		fmt.Println("saw", n)
	}
}

// kill -9 at random moments: what was acknowledged is there.
func TestKilled(t *testing.T) {
	const times = 40
	folder := filepath.Join(t.TempDir(), Folder)
	random := rand.New(rand.NewPCG(1, 2))
	most := -1
	for range times {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestChild$")
		cmd.Env = append(os.Environ(), childFolder+"="+folder)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for wait := random.IntN(6); wait > 0 && lines.Scan(); wait-- {
			most = acknowledged(t, lines.Text(), most)
		}
		for range random.IntN(1 << 16) { // somewhere in a write
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			most = acknowledged(t, lines.Text(), most)
		}
		_ = cmd.Wait() // it was killed
		if most < 0 {
			continue
		}
		s, err := Create(folder)
		if err != nil {
			t.Fatal(err)
		}
		if s.Salvaged() != nil || len(s.findings) <= most {
			t.Fatalf("%v; there are %d findings, and %d were acknowledged", s.Salvaged(), len(s.findings), most+1)
		}
		s.Close()
	}
	if most < 10 {
		t.Errorf("only %d findings were acknowledged before a kill", most+1)
	}
}

func acknowledged(t *testing.T, line string, most int) int {
	t.Helper()
	number, ok := strings.CutPrefix(line, "saw ")
	if !ok {
		t.Fatalf("the child says %s", line)
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	return max(most, n)
}
