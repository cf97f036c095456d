package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"motehound/job/document"
)

// asMotehound makes the test binary the command itself, so that tests run the real process without building it twice.
const asMotehound = "MOTEHOUND_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asMotehound) != "" {
		status := guarded(func() int { return run(os.Args[1:]) })
		if to := os.Getenv(peakFile); to != "" {
			text, err := os.ReadFile("/proc/self/status")
			if err == nil {
				err = os.WriteFile(to, text, 0o666)
			}
			if err != nil {
				panic(err)
			}
		}
		os.Exit(status)
	}
	status := m.Run()
	os.RemoveAll(theCore.dir)
	os.Exit(status)
}

// peakFile names the file in which the command leaves what the kernel knows of it at its end. That a parent gets the same from the kernel is not so: there, a process has had at least the
// memory that its parent had when it started it.
const peakFile = "MOTEHOUND_TEST_PEAK_FILE"

// peakOf is how much memory a command has had that has left its file, in bytes.
func peakOf(t *testing.T, file string) uint64 {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if after, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(after), " kB"), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kib << 10
		}
	}
	t.Fatalf("the kernel says nothing of memory:\n%s", text)
	return 0
}

// command prepares motehound in a folder of its own.
func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), asMotehound+"=1")
	return c
}

// result is what a finished motehound left.
type result struct {
	stdout, stderr string
	status         int
}

// motehound runs the command to its end, with an empty standard input.
func motehound(t testing.TB, args ...string) result {
	t.Helper()
	return finish(t, command(t, args...))
}

func finish(t testing.TB, c *exec.Cmd) result {
	t.Helper()
	var out, err bytes.Buffer
	c.Stdout, c.Stderr = &out, &err
	if e := c.Run(); e != nil && !errors.As(e, new(*exec.ExitError)) {
		t.Fatal(e)
	}
	return result{out.String(), err.String(), c.ProcessState.ExitCode()}
}

// runJSON runs motehound run --json and reads its report.
func runJSON(t testing.TB, args ...string) *document.Run {
	t.Helper()
	r := motehound(t, append([]string{"run", "--json"}, args...)...)
	if r.status != exitFine {
		t.Fatalf("run %v: exit status %d\n%s", args, r.status, r.stderr)
	}
	return r.report(t)
}

func (r result) report(t testing.TB) *document.Run {
	t.Helper()
	doc := new(document.Run)
	d := json.NewDecoder(strings.NewReader(r.stdout))
	if err := d.Decode(doc); err != nil {
		t.Fatalf("not JSON: %v\n%s%s", err, r.stdout, r.stderr)
	}
	if rest, _ := io.ReadAll(d.Buffered()); len(bytes.TrimSpace(rest)) > 0 {
		t.Fatalf("more than one JSON document: %s", rest)
	}
	return doc
}

// bytesOf turns the text of a report's UART back into bytes.
func bytesOf(t testing.TB, text string) []byte {
	t.Helper()
	var b []byte
	for _, r := range text {
		if r > 0xFF {
			t.Fatalf("character %q is not one byte", r)
		}
		b = append(b, byte(r))
	}
	return b
}

// started is a motehound that runs.
type started struct {
	t      testing.TB
	cmd    *exec.Cmd
	lines  chan string // of standard error
	stdout bytes.Buffer
	mu     sync.Mutex
	stderr strings.Builder
}

// start starts motehound. It is killed at the end of the test if it still runs then.
func start(t testing.TB, args ...string) *started {
	t.Helper()
	s := &started{t: t, cmd: command(t, args...), lines: make(chan string, 1<<16)}
	s.cmd.Stdout = &s.stdout
	pipe, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.cmd.Process.Kill() })
	go func() {
		defer close(s.lines)
		for in := bufio.NewScanner(pipe); in.Scan(); {
			s.mu.Lock()
			s.stderr.WriteString(in.Text() + "\n")
			s.mu.Unlock()
			s.lines <- in.Text()
		}
	}()
	return s
}

// await waits for a line on standard error that contains a text, and returns what follows the text.
func (s *started) await(text string) string {
	s.t.Helper()
	for line := range s.lines {
		if _, rest, ok := strings.Cut(line, text); ok {
			return rest
		}
	}
	s.t.Fatalf("motehound ended without saying %q\n%s", text, s.said())
	return ""
}

func (s *started) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stderr.String()
}

// interrupt ends motehound as Ctrl-C does, and waits for its end.
func (s *started) interrupt() result {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		s.t.Fatal(err)
	}
	return s.wait()
}

func (s *started) wait() result {
	s.t.Helper()
	for range s.lines { // to its end, before Wait closes the pipe
	}
	if err := s.cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		s.t.Fatal(err)
	}
	return result{s.stdout.String(), s.said(), s.cmd.ProcessState.ExitCode()}
}

// replays checks that a kept run is made again by its recipe.
func replays(t testing.TB, folder string) {
	t.Helper()
	if r := motehound(t, "replay", filepath.Join(folder, "recipe.json")); r.status != exitFine || !strings.Contains(r.stdout, "the same run") {
		t.Errorf("replay: exit status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
}

// write makes a file of a test.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
