package torture

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"motehound/examples"
	"motehound/firmware/pathtrace/instrument"
	"motehound/internal/testkit"
	"motehound/observe/calltree"
	"motehound/study/behavior"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/record"
	"motehound/study/fieldtrace/reproduce"
	"motehound/study/property"
	"motehound/study/symbolic/plan"
	"motehound/world/medium"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// cases runs a function on mutations of the given texts, and wants some refused.
func cases(t *testing.T, n int, texts [][]byte, change func(*rand.Rand, []byte) []byte, f func([]byte) error) {
	t.Helper()
	r := rand.New(rand.NewPCG(2, 17))
	refused := 0
	for i := range times(n) {
		data := change(r, texts[r.IntN(len(texts))])
		if survive(t, fmt.Sprintf("case %d", i), data, func() error { return f(data) }) != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Errorf("none of %d was refused: the cases test nothing", times(n))
	}
	for _, text := range texts {
		if err := f(text); err != nil {
			t.Errorf("what was not changed is refused: %v", err)
		}
	}
}

// HEX and SREC files are what people flash without symbols.
func TestHEX(t *testing.T) {
	var texts [][]byte
	for _, name := range []string{"blink-micaz.elf", "serial-uno.elf"} {
		data := Read(t, filepath.Join(exampleDir, "elf", name))
		texts = append(texts, hexOf(t, data), srecOf(t, data))
	}
	cases(t, 500, texts, mutateText, func(data []byte) error { return firmware("a.hex", data, "micaz") })
}

// flashOf is the code of an ELF file, as one piece from address 0.
func flashOf(t *testing.T, data []byte) []byte {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var flash []byte
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Filesz > 0 && p.Paddr < 0x20000 {
			flash = append(flash, make([]byte, max(0, int(p.Paddr+p.Filesz)-len(flash)))...)
			copy(flash[p.Paddr:], data[p.Off:p.Off+p.Filesz])
		}
	}
	return flash
}

func lines(flash []byte, line func(addr int, data []byte) string) string {
	var b strings.Builder
	for at := 0; at < len(flash); at += 16 {
		b.WriteString(line(at, flash[at:min(at+16, len(flash))]))
	}
	return b.String()
}

func hexOf(t *testing.T, data []byte) []byte {
	return []byte(lines(flashOf(t, data), func(at int, data []byte) string {
		all := append([]byte{byte(len(data)), byte(at >> 8), byte(at), 0}, data...)
		return fmt.Sprintf(":%X%02X\n", all, -sum(all)&0xFF)
	}) + ":00000001FF\n")
}

func srecOf(t *testing.T, data []byte) []byte {
	return []byte(lines(flashOf(t, data), func(at int, data []byte) string {
		all := append([]byte{byte(len(data) + 3), byte(at >> 8), byte(at)}, data...)
		return fmt.Sprintf("S1%X%02X\n", all, ^sum(all)&0xFF)
	}) + "S9030000FC\n")
}

func sum(data []byte) (n int) {
	for _, b := range data {
		n += int(b)
	}
	return n
}

// opener finds firmware as the commands do: built in, or from a folder of the examples.
func opener(name string) ([]byte, error) {
	if example, ok := strings.CutPrefix(name, "example:"); ok {
		for _, f := range examples.All {
			if strings.TrimSuffix(f.File(), ".elf") == example {
				return f.ELF(), nil
			}
		}
	}
	return os.ReadFile(filepath.Join(exampleDir, "elf", filepath.Base(name)))
}

func TestRecipes(t *testing.T) {
	dir := Make(t).Dir
	texts := [][]byte{Read(t, dir+"/run/recipe.json"), Read(t, dir+"/check/finding-1.json"), Read(t, dir+"/symbolic/finding-1.json")}
	cases(t, 900, texts, mutateText, func(data []byte) error {
		r, err := recipe.Parse(data)
		if err != nil {
			return err
		}
		r.Until = min(r.Until, fewMilliseconds)
		w, err := r.World(opener)
		if err != nil {
			return err
		}
		w.RunUntil(r.Until)
		if r.Explored == nil {
			return nil
		}
		p, err := property.Prepare(w.Config(), nil, property.Options{Explore: true, Learn: 1})
		if err != nil {
			return err
		}
		_, err = explore.New(w.Config(), explore.Options{Skew: r.Explored.Skew, Plan: p})
		return err
	})
}

func TestBundles(t *testing.T) {
	dir := Make(t).Dir
	good := [][]byte{Read(t, dir+"/run/recipe.zip"), Read(t, dir+"/check/finding-1.zip"), Read(t, dir+"/symbolic/finding-1.zip")}
	file := filepath.Join(t.TempDir(), "a.zip")
	cases(t, 300, good, mutate, func(data []byte) error {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := recipe.Read(file)
		if err != nil {
			return err
		}
		_, err = r.Config(opener)
		return err
	})
}

func TestScenarios(t *testing.T) {
	names, err := filepath.Glob(exampleDir + "/*/*.star")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	var texts [][]byte
	for _, name := range names {
		if text := Read(t, name); !bytes.Contains(text, []byte("load(\"")) {
			texts = append(texts, text)
		}
	}
	cases(t, 900, texts, mutateText, func(data []byte) error {
		s, err := scenario.LoadFS(fstest.MapFS{"a.star": {Data: data}}, "a.star", scenario.Options{})
		if err != nil {
			return placed(err, "a.star")
		}
		r, err := s.Recipe()
		if err != nil {
			return placed(err, "a.star")
		}
		if len(r.Motes) > 100 {
			return nil // it is right, and runs long
		}
		w, err := s.World(r, opener)
		if err != nil {
			return err
		}
		_ = scenario.NewMonitor(s, w).RunUntil(fewMilliseconds, fewMilliseconds/4) // what was dropped is no failure of the scenario
		return nil
	})
}

// placed wants the file's name in front of an error.
func placed(err error, name string) error {
	if !strings.HasPrefix(err.Error(), name+":") {
		return fmt.Errorf("BUG: a message without a place: %w", err)
	}
	return err
}

func TestModels(t *testing.T) {
	models := Read(t, Make(t).Dir+"/models.json")
	cases(t, 600, [][]byte{models}, mutateText, func(data []byte) error {
		f, err := behavior.ReadFile(data)
		if err != nil {
			return err
		}
		v, err := behavior.NewVerifier(calltree.NewBook(), f, func(*behavior.Violation) {})
		if err != nil {
			return err
		}
		v.Finish()
		_, err = behavior.ReadFile(f.Bytes())
		return err
	})
}

func TestReports(t *testing.T) {
	models, report := Read(t, Make(t).Dir+"/models.json"), Read(t, Make(t).Dir+"/verify/report.json")
	cases(t, 400, [][]byte{report}, mutateText, func(data []byte) error {
		f, err := behavior.ReadFile(models)
		if err != nil {
			return err
		}
		var doc struct {
			Violations []*behavior.Violation `json:"violations"`
			New        []*behavior.Violation `json:"new"`
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			return err
		}
		all := append(doc.Violations, doc.New...)
		for _, v := range all {
			if v == nil {
				return fmt.Errorf("a violation is null")
			}
		}
		if _, err := f.Approve(all, nil); err != nil {
			return err
		}
		_, err = behavior.ReadFile(f.Bytes())
		return err
	})
}

// Logs of traced motes, with and without checksums that fit, and the maps for them.
func TestTraceLogs(t *testing.T) {
	flash := Read(t, Make(t).Dir+"/flash.bin")
	cases(t, 300, [][]byte{flash}, mutate, func(data []byte) error {
		log, err := record.Read(record.AT45DB, data)
		if err != nil {
			return err
		}
		narrative.New(nil).Count(log)
		return nil
	})
	text := Read(t, filepath.Join(exampleDir, "elf", "oscilloscope_traced-micaz.map.json"))
	log, err := record.Read(record.AT45DB, flash)
	if err != nil {
		t.Fatal(err)
	}
	known, err := instrument.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	cases(t, 300, [][]byte{flash}, func(r *rand.Rand, data []byte) []byte { return testkit.TraceSums(mutate(r, data)) }, func(data []byte) error {
		log, err := record.Read(record.AT45DB, data)
		if err != nil {
			return err
		}
		c := narrative.New(known).Count(log)
		if c.Elements > record.Most+1 {
			return fmt.Errorf("BUG: %d elements", c.Elements)
		}
		_, err = reproduce.NewTarget(log, reproduce.Last(log))
		return err
	})
	cases(t, 300, [][]byte{text}, mutateText, func(data []byte) error {
		m, err := instrument.Read(bytes.NewReader(data))
		if err != nil {
			return err
		}
		narrative.New(m).Count(log)
		return nil
	})
}

// A log that stands for billions of events is read as far as it makes sense, and says so.
func TestEndlessTrace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "endless.bin")
	if err := os.WriteFile(name, testkit.EndlessTrace(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"trace", "decode", "--last", "3"}, {"trace", "stats", "--json"}} {
		status, out := Make(t).Run("ulimit -t 120; ulimit -v 8000000;", append(args, name)...)
		if status < 0 || status > 1 || len(out) > 10_000 || args[1] == "decode" && (status != 1 || !strings.Contains(out, "contains more than 33,554,432 events")) {
			t.Errorf("%v: status %d\n%.2000s", args, status, out)
		}
	}
	status, out := Make(t).Run("ulimit -t 120; ulimit -v 8000000;", "trace", "replay", "--trace-map", "example:oscilloscope_traced-micaz", "--board", "micaz", name, "example:oscilloscope_traced")
	if status != 2 || !strings.Contains(out, "too long for any run to try") {
		t.Errorf("trace replay: status %d\n%.2000s", status, out)
	}
}

func TestGains(t *testing.T) {
	text := []byte("# TOSSIM\ngain 0 1 -54.0\ngain 1 0 -55.5\ngain 1 2 -60.0 # far\nnoise 0 -105.0 4.0\ngain 2 1 -61.0\n")
	cases(t, 200, [][]byte{text}, mutateText, func(data []byte) error {
		links, err := medium.ReadGains("a.txt", bytes.NewReader(data), func(id int) (int, bool) { return id, id >= 0 && id < 3 })
		if err != nil {
			return err
		}
		_, err = medium.New(3, links)
		return err
	})
}

// The log of check: as it was damaged, and with checksums that fit.
func TestCheckLogs(t *testing.T) {
	name := filepath.Join(t.TempDir(), "check.log")
	s := system(t)
	resume := func() error {
		log, err := check.OpenLog(name)
		if err != nil {
			return err
		}
		defer log.Close()
		_, err = check.Run(s.Clone(), check.Options{Mode: check.ModeBoth, Identity: "torture", Seed: 1, Threads: 1, Log: log, Search: check.SearchOptions{Depth: 2, Deepen: true},
			Walk: check.WalkOptions{Walks: 3, Events: 200, First: true}, Critical: check.CriticalOptions{Walks: 1, Events: 50}, Minimise: check.MinimiseOptions{Walks: 1, Reach: 50, Events: 500}})
		return err
	}
	if err := resume(); err != nil {
		t.Fatal(err)
	}
	base := Read(t, name)
	if bytes.Count(base, []byte("\n")) < 3 {
		t.Fatalf("the log has next to nothing:\n%s", base)
	}
	cases(t, 200, [][]byte{base}, func(r *rand.Rand, data []byte) []byte {
		if r.IntN(3) == 0 {
			return mutate(r, data)
		}
		return summed(r, data)
	}, func(data []byte) error {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return err
		}
		return resume()
	})
}

// system is an example that has something to find.
func system(t *testing.T) *explore.System {
	t.Helper()
	sc, err := scenario.Load(filepath.Join(exampleDir, "dissem/dissem.star"), scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := sc.Recipe()
	if err != nil {
		t.Fatal(err)
	}
	w, err := sc.World(rec, opener)
	if err != nil {
		t.Fatal(err)
	}
	p, err := property.Prepare(w.Config(), sc, property.Options{Explore: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := explore.New(w.Config(), explore.Options{Plan: p})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// summed changes the text of a log, and gives its lines the checksums that they should have.
func summed(r *rand.Rand, data []byte) []byte {
	var texts [][]byte
	for line := range bytes.Lines(data) {
		if _, text, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" ")); ok {
			texts = append(texts, text)
		}
	}
	i := r.IntN(len(texts))
	texts[i] = bytes.ReplaceAll(mutateText(r, texts[i]), []byte("\n"), nil)
	var out []byte
	sum := uint32(0)
	for _, text := range texts {
		sum = crc32.Update(sum, crc32.IEEETable, text)
		out = fmt.Appendf(out, "%08x %s\n", sum, text)
	}
	return out
}

// What symbolic keeps: as it was damaged, and with a checksum that fits.
func TestExplorations(t *testing.T) {
	sc, err := scenario.Load(filepath.Join(exampleDir, "tinytcp/port.star"), scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	explore := func(saved []byte, windows int) (*plan.Result, error) {
		rec, err := sc.Recipe()
		if err != nil {
			return nil, err
		}
		w, err := sc.World(rec, opener)
		if err != nil {
			return nil, err
		}
		seen := 0
		p, err := plan.New(sc, rec, w.Config(), plan.Options{Seed: 1, MaxBytes: 1 << 30, Outcomes: 1, Saved: saved,
			Stop: func() bool { seen++; return seen > windows }, Rest: func() bool { return true }})
		if err != nil {
			return nil, err
		}
		defer p.Close()
		return p.Explore(opener)
	}
	var kept [][]byte
	for _, windows := range []int{50, 1500} {
		r, err := explore(nil, windows)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Saved) == 0 {
			t.Fatalf("nothing was left after %d windows", windows)
		}
		kept = append(kept, r.Saved)
	}
	cases(t, 200, kept, func(r *rand.Rand, data []byte) []byte {
		if r.IntN(3) == 0 {
			return mutate(r, data)
		}
		return Sealed(mutateText(r, data))
	}, func(data []byte) error {
		_, err := explore(data, 100)
		return err
	})
}
