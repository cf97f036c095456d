// Package kill has Motehound killed while it writes, and gives it disks that are full: every file is as it was, or new and whole.
package kill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/internal/torture"
	"motehound/job/findings"
	"motehound/study/check"
	"motehound/world/recipe"
)

const exampleDir = "../../examples"

func TestMain(m *testing.M) { testkit.Main(m) }

// writer is a command that writes files. Names in its arguments that begin with @ are in the folder.
type writer struct {
	name  string
	args  []string
	files []string // that it replaces
	fresh bool     // it wants a folder without its files
}

var writers = []writer{
	{"run", []string{"run", "--nodes", "2", "--time", "300ms", "--out", "@", "--bundle", "--pcap", "@air.pcapng", "--lifecycle", "@life.jsonl", "--serial", "0=file:@serial.bin", "example:counter"},
		[]string{"recipe.json", "recipe.zip", "report.json", "air.pcapng", "life.jsonl", "serial.bin"}, false},
	{"mine", []string{"mine", "--time", "1s", "--csv", "@a.csv", "--parquet", "@a.parquet", "--html", "@a.html", "--board", "micaz", "example:pollute"},
		[]string{"a.csv", "a.parquet", "a.html"}, false},
	{"model mine", []string{"model", "mine", "--force", "--time", "1s", "--models", "@models.json", "--html", "@m.html", "--svg", "@m.svg", "--dot", "@m.dot", "--board", "micaz", "example:pollute"},
		[]string{"models.json", "m.html", "m.svg", "m.dot"}, false},
	{"model verify", []string{"model", "verify", "--strict", "--time", "2s", "--models", "@given.json", "--out", "@", "--board", "micaz", "example:pollute"},
		[]string{"report.json"}, false},
	{"model approve", []string{"model", "approve", "--all", "--models", "@given.json", "@given-report.json"}, []string{"given.json"}, false},
	{"check", []string{"check", "--budget", "0", "--walks", "4", "--events", "1000", "--depth", "2", "--shorten", "2000", "--threads", "1", "--out", "@", "--bundle", "--html", "@a.html", exampleDir + "/serialbuf/reversed.star"},
		[]string{"report.json", "finding-1.json", "finding-1.zip", "check.log", "a.html"}, true},
	{"fuzz", []string{"fuzz", "--budget", "0", "--total", "30000", "--threads", "1", "--out", "@", "--bundle", "--lcov", "@a.lcov", "--html", "@a.html", "example:overrun"},
		[]string{"report.json", "finding-1.json", "finding-1.zip", "fuzz.log", "a.lcov", "a.html"}, true},
	{"hunt", []string{"hunt", "--budget", "0", "--total", "1000", "--threads", "1", "--engine", "run", "--store", "@store", "--out", "@", "--html", "@a.html", "example:novolatile"},
		[]string{"report.json", "a.html"}, false},
	{"symbolic", []string{"symbolic", "--out", "@", "--bundle", "--lcov", "@a.lcov", "--queries", "@a.smt2", "--html", "@a.html", exampleDir + "/tinytcp/port.star"},
		[]string{"report.json", "finding-1.json", "finding-1.zip", "exploration", "a.lcov", "a.smt2", "a.html"}, true},
	{"trace pull", []string{"trace", "pull", "--time", "1s", "--board", "micaz", "-o", "@flash.bin", "example:oscilloscope_traced"}, []string{"flash.bin"}, false},
	{"trace decode", []string{"trace", "decode", "--trace-map", "example:oscilloscope_traced-micaz", "--board", "micaz", "--lifecycle", "@life.txt", "@given-flash.bin"},
		[]string{"life.txt"}, false},
	{"trace instrument", []string{"trace", "instrument", "--output", "@traced.c", "--trace-map", "@traced.json", "--runtime-dir", "@", "@given.c"}, []string{"traced.c", "traced.json"}, false},
	{"trace component", []string{"trace", "component", "tinyos2", "@"}, []string{"MotehoundTraceC.nc"}, false},
	{"trace cc", []string{"trace", "cc", "--script", "@cc.sh", "--trace-map", "@cc.json", "--", "avr-gcc", "-mmcu=atmega128"}, []string{"cc.sh"}, false},
}

const old = "what was there before\n"

// room makes a folder for a writer, with old files in it, and gives its arguments.
func (w *writer) room(t *testing.T, dir string) []string {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	made := torture.Make(t).Dir
	files := map[string][]byte{
		"given.json": torture.Read(t, made+"/models.json"), "given-report.json": torture.Read(t, made+"/verify/report.json"),
		"given-flash.bin": torture.Read(t, made+"/flash.bin"), "given.c": []byte("int twice(int x)\n{\n    if (x > 3)\n        return 1;\n    return 2 * x;\n}\n"),
	}
	for _, name := range w.files {
		if _, given := files[name]; !given && !w.fresh {
			files[name] = []byte(old)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := slices.Clone(w.args)
	for i, a := range args {
		if at := strings.LastIndex(a, "@"); at >= 0 {
			args[i] = a[:at] + filepath.Join(dir, a[at+1:])
		}
	}
	return args
}

// reference is what a file has when nobody disturbs the writer.
type reference struct {
	before, after map[string][]byte
	took          time.Duration // only for choosing when to disturb
	events        int           // in the folder
}

func (w *writer) undisturbed(t *testing.T, dir string) *reference {
	t.Helper()
	args := w.room(t, dir)
	ref := &reference{before: w.contents(dir), after: nil}
	begin := time.Now()
	k := start(t, dir, args)
	ref.events = k.await(1 << 30)
	ref.took = time.Since(begin)
	if status := k.cmd.ProcessState.ExitCode(); status > 1 || status < 0 {
		t.Fatalf("undisturbed: status %d\n%s", status, k.output.String())
	}
	ref.after = w.contents(dir)
	for _, name := range w.files {
		if ref.after[name] == nil && name != "exploration" {
			t.Fatalf("undisturbed: there is no %s; output:\n%s", name, k.output.String())
		}
	}
	return ref
}

func (w *writer) contents(dir string) map[string][]byte {
	all := map[string][]byte{}
	for _, name := range w.files {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			all[name] = data
		}
	}
	return all
}

// judge wants each file old, or new and whole.
func (w *writer) judge(t *testing.T, what, dir string, ref *reference) {
	t.Helper()
	for name, data := range w.contents(dir) {
		is := func(x []byte) bool { return x != nil && bytes.Equal(data, x) }
		switch {
		case is(ref.before[name]) || is(ref.after[name]):
		case name == "check.log" || name == "fuzz.log":
			log, err := check.OpenLog(filepath.Join(dir, name))
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			log.Close()
		case name == "exploration" && bytes.Equal(torture.Sealed(data), data) && len(data) > 100:
		case strings.HasSuffix(name, ".json") && json.Valid(data) && bytes.HasSuffix(data, []byte("}\n")): // host times differ
		case name == "a.html" && bytes.HasSuffix(bytes.TrimSpace(data), []byte("</html>")):
		default:
			t.Errorf("%s: %s has %d bytes, which are neither what was there (%d) nor what should be (%d)", what, name, len(data), len(ref.before[name]), len(ref.after[name]))
		}
	}
	for name, data := range ref.before {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil && data != nil {
			t.Errorf("%s: %s is gone", what, name)
		}
	}
}

// victim is a command that runs, with its folder watched.
type victim struct {
	cmd    *exec.Cmd
	output bytes.Buffer
	watch  int
	done   chan error
}

func start(t *testing.T, dir string, args []string) *victim {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_CREATE|syscall.IN_MODIFY|syscall.IN_MOVED_TO|syscall.IN_MOVED_FROM|syscall.IN_DELETE|syscall.IN_CLOSE_WRITE); err != nil {
		t.Fatal(err)
	}
	v := &victim{cmd: exec.Command(torture.Make(t).Program, args...), watch: fd, done: make(chan error, 1)}
	v.cmd.Stdout, v.cmd.Stderr = &v.output, &v.output
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { v.done <- v.cmd.Wait() }()
	return v
}

// await waits for so many changes in the folder, or for the end of the command, and counts changes. Then nobody watches any more.
func (v *victim) await(changes int) int {
	defer syscall.Close(v.watch)
	if err := syscall.SetNonblock(v.watch, true); err != nil {
		return 0
	}
	seen, ended := 0, false
	for buffer := make([]byte, 1<<16); seen < changes; {
		n, err := syscall.Read(v.watch, buffer)
		for at := 0; err == nil && at+syscall.SizeofInotifyEvent <= n; seen++ {
			at += syscall.SizeofInotifyEvent + int(buffer[at+12]) + int(buffer[at+13])<<8
		}
		switch {
		case err == nil && n > 0:
		case ended:
			return seen
		default:
			select {
			case err := <-v.done:
				v.done <- err
				ended = true
			case <-time.After(50 * time.Microsecond): // how often to look; nothing is concluded from it
			}
		}
	}
	return seen
}

// kill ends the command, if it has not ended.
func (v *victim) kill() {
	_ = v.cmd.Process.Kill() // it may have ended by itself
	err := <-v.done
	v.done <- err
}

// Whenever a command is killed, its files are old or new. It is killed after each change in its folder, and in between at random times: most of those are
// while it computes.
func TestKill(t *testing.T) {
	torture.Make(t)
	most, rounds := 100, 1
	switch {
	case testing.Short():
		most = 5
	case need.Long():
		rounds = 10
	}
	for i := range writers {
		w := &writers[i]
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			if w.name == "trace cc" {
				need.Tools(t, "avr-gcc")
			}
			r := rand.New(rand.NewPCG(uint64(i), 17))
			dir := filepath.Join(t.TempDir(), "room")
			ref := w.undisturbed(t, dir)
			moments := min(ref.events, most)
			t.Logf("%d changes, killed after %d of them", ref.events, moments)
			for n := range rounds * (moments + moments/3 + 1) {
				v := start(t, dir, w.room(t, dir))
				what := ""
				if n%4 != 3 {
					changes := 1 + (n-n/4)%moments*ref.events/moments
					what = fmt.Sprintf("killed after %d changes", changes)
					v.await(changes)
				} else {
					after := time.Duration(r.Int64N(int64(ref.took)))
					what = fmt.Sprintf("killed after %v", after)
					select {
					case err := <-v.done:
						v.done <- err
					case <-time.After(after):
					}
					syscall.Close(v.watch)
				}
				v.kill()
				w.judge(t, what, dir, ref)
				if w.name == "hunt" {
					kept(t, what, dir, v.output.String())
				}
				if n%5 == 0 {
					w.goOn(t, what, dir, ref)
				}
			}
		})
	}
}

// kept wants the store of a hunt that was killed to open, with what the hunt has told of.
func kept(t *testing.T, what, dir, said string) {
	t.Helper()
	folder := filepath.Join(dir, "store")
	if _, err := os.Stat(folder); err != nil {
		return // it had not come that far
	}
	store, err := findings.Create(folder)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	defer store.Close()
	if s := store.Salvaged(); s != nil {
		t.Errorf("%s: the store was damaged: %+v", what, s)
	}
	all := store.All()
	if told := strings.Count(said, "found by"); len(all) < told {
		t.Errorf("%s: %d findings were told of, and %d are kept", what, told, len(all))
	}
	for _, f := range all {
		if _, err := recipe.Read(store.Path(f.Bundle)); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// goOn makes the command again in what a killed one has left: it ends as if nothing had been, and nothing of the killed one is left.
func (w *writer) goOn(t *testing.T, what, dir string, ref *reference) {
	t.Helper()
	var args []string
	for _, a := range w.args {
		if at := strings.LastIndex(a, "@"); at >= 0 {
			a = a[:at] + filepath.Join(dir, a[at+1:])
		}
		args = append(args, a)
	}
	_, ended := os.Stat(filepath.Join(dir, "report.json"))
	_, logged := os.Stat(filepath.Join(dir, w.name+".log"))
	_, kept := os.Stat(filepath.Join(dir, "exploration"))
	switch {
	case (w.name == "check" || w.name == "fuzz") && logged == nil, w.name == "symbolic" && (kept == nil || ended != nil):
		args = append(args[:1:1], append([]string{"--resume"}, args[1:]...)...)
	case w.name == "symbolic":
		return // it had ended
	}
	if status, out := torture.Make(t).Run("", args...); status > 1 || status < 0 {
		t.Errorf("%s, and once more: status %d\n%s", what, status, out)
		return
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*.tmp")); len(left) > 0 {
		t.Errorf("%s, and once more: %v are left", what, left)
	}
	if w.fresh {
		w.same(t, what, dir, ref)
	}
}

// same compares what was found, apart from how long it took.
func (w *writer) same(t *testing.T, what, dir string, ref *reference) {
	t.Helper()
	found := func(report []byte) string {
		var doc struct {
			Verdict  string           `json:"verdict"`
			Findings []map[string]any `json:"findings"`
			Outcomes []map[string]any `json:"outcomes"`
		}
		if err := json.Unmarshal(report, &doc); err != nil {
			return err.Error()
		}
		for _, f := range doc.Findings {
			delete(f, "recipe")
		}
		text, err := json.Marshal(doc)
		return fmt.Sprint(string(text), err)
	}
	if got, want := found(w.contents(dir)["report.json"]), found(ref.after["report.json"]); got != want {
		t.Errorf("%s, and gone on:\n got %s\nwant %s", what, got, want)
	}
}

// A disk that is full: every file is old or new, the status says that something is wrong, and nothing is left behind.
func TestFullDisk(t *testing.T) {
	torture.Make(t)
	for i := range writers {
		w := &writers[i]
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			if w.name == "trace cc" {
				need.Tools(t, "avr-gcc")
			}
			dir := filepath.Join(t.TempDir(), "room")
			ref := w.undisturbed(t, dir)
			largest := 0
			for _, data := range ref.after {
				largest = max(largest, len(data))
			}
			const block = 512
			failed := 0
			sizes := []int{0, 1, 2, largest / block / 8, largest / block / 3, largest/block - 1}
			slices.Sort(sizes)
			for _, blocks := range slices.Compact(sizes) {
				if blocks < 0 || blocks*block >= largest {
					continue
				}
				status, out := torture.Make(t).Run(fmt.Sprintf("ulimit -f %d;", blocks), w.room(t, dir)...)
				what := fmt.Sprintf("files of at most %d blocks", blocks)
				if status != 2 || !strings.Contains(out, "file too large") {
					t.Errorf("%s: status %d\n%s", what, status, out)
				}
				failed++
				w.judge(t, what, dir, ref)
				if left, _ := filepath.Glob(filepath.Join(dir, ".*.tmp")); len(left) > 0 {
					t.Errorf("%s: %v are left", what, left)
				}
			}
			if failed == 0 {
				t.Error("no limit was below what is written: nothing was tested")
			}
		})
	}
}

// Standard output that cannot be written is an error of every command that prints.
func TestFullOutput(t *testing.T) {
	made := torture.Make(t).Dir
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	fails := func(args ...string) {
		t.Helper()
		c := exec.Command(torture.Make(t).Program, args...)
		var stderr bytes.Buffer
		c.Stdout, c.Stderr = full, &stderr
		if err := c.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		if c.ProcessState.ExitCode() != 2 || !strings.Contains(stderr.String(), "standard output") {
			t.Errorf("%v: status %d\n%s", args, c.ProcessState.ExitCode(), stderr.String())
		}
	}
	for _, args := range [][]string{{"version"}, {"--help"}, {"run", "--help"}, {"completion", "bash"}, {"replay", made + "/run/recipe.json"},
		{"replay", made + "/check/finding-1.json"}, {"replay", made + "/symbolic/finding-1.json"}, {"run", "--json", "--time", "1ms", "example:blink"},
		{"model", "show", made + "/models.json"}, {"model", "diff", made + "/models.json", made + "/models.json"},
		{"trace", "stats", made + "/flash.bin"}, {"trace", "decode", "--json", made + "/flash.bin"},
		{"run", "--serial", "0=stdio", "--time", "30s", "example:serial-uno"}} {
		fails(args...)
	}
	dir := filepath.Join(t.TempDir(), "room")
	for i := range writers {
		if w := &writers[i]; w.name != "trace cc" { // which prints nothing of its own
			fails(w.room(t, dir)...)
		}
	}
}
