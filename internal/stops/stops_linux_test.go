// Package stops presses Ctrl-C in every phase of every command, at a real terminal.
package stops

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"motehound/internal/testkit"
	"motehound/study/verdict"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// exitStopped is the status of a command that Ctrl-C has ended.
const exitStopped = 130

// seat is a motehound whose standard input and error are a terminal, and whose standard output is a file.
type seat struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	stdout bytes.Buffer
	seen   strings.Builder // on the terminal
}

// sit starts motehound at a new terminal, with a folder in which programs are looked for first.
func sit(t *testing.T, dir, path string, shown bool, args ...string) *seat {
	t.Helper()
	program := testkit.Command(t)
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	var unlocked, number uint32
	control := func(request uintptr, value *uint32) {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(value))); e != 0 {
			t.Fatal(e)
		}
	}
	control(syscall.TIOCSPTLCK, &unlocked)
	control(syscall.TIOCGPTN, &number)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	s := &seat{t: t, cmd: exec.Command(program, args...), master: master}
	s.cmd.Dir, s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = dir, slave, &s.stdout, slave
	if shown {
		s.cmd.Stdout = slave
	}
	s.cmd.Env = append(os.Environ(), "PATH="+path+":"+os.Getenv("PATH"))
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.cmd.Process.Kill() })
	return s
}

// await reads the terminal until a text stands there, and tells whether it came to that. An empty text never does.
func (s *seat) await(text string) bool {
	buffer := make([]byte, 4096)
	for text == "" || !strings.Contains(s.seen.String(), text) {
		n, err := s.master.Read(buffer)
		s.seen.Write(buffer[:n])
		if err != nil { // the last one at the terminal has left
			return false
		}
	}
	return true
}

// press is Ctrl-C.
func (s *seat) press() {
	s.t.Helper()
	if _, err := s.master.Write([]byte{3}); err != nil {
		s.t.Fatal(err)
	}
}

// worked is the CPU time that motehound has taken so far, as /proc/PID/stat has it in ticks of 10 ms.
func (s *seat) worked() time.Duration {
	s.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	fields, sum := strings.Fields(rest), time.Duration(0)
	for _, text := range fields[11:13] { // utime, stime
		n, err := strconv.Atoi(text)
		if err != nil {
			s.t.Fatal(err)
		}
		sum += time.Duration(n) * 10 * time.Millisecond
	}
	return sum
}

// leave waits for the end, and gives the exit status and the CPU time that was taken.
func (s *seat) leave() (status int, took time.Duration) {
	s.await("")
	_ = s.cmd.Wait() // the state has its status
	return s.cmd.ProcessState.ExitCode(), s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
}

// toStop is a phase of a command that somebody ends with Ctrl-C.
type toStop struct {
	phase   string // what stands on the terminal in it
	command string
	files   []string // that must be whole JSON documents then
	old     []string // that must be as they were
	shown   bool     // standard output is the terminal, too
	may     bool     // it is so short that it may be over before the signal is there
}

// stays is what stands in the files that an interrupted command must leave alone.
const stays = "what was there before\n"

// Ctrl-C ends every phase of every command within two seconds of CPU time. What is known by then can be read, and says that it was
// interrupted.
func TestStop(t *testing.T) {
	shared := t.TempDir()
	stopFixtures(t, shared)
	for _, c := range stops {
		t.Run(c.command[:min(len(c.command), 60)]+"/"+c.phase, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, name := range c.old {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(stays), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			s := sit(t, dir, shared, c.shown, strings.Fields(strings.ReplaceAll(c.command, "@", shared+"/"))...)
			if !s.await(c.phase) {
				status, _ := s.leave()
				t.Fatalf("it ended, with status %d, before %q was on the terminal:\n%s%s", status, c.phase, s.seen.String(), s.stdout.String())
			}
			before := s.worked()
			s.press()
			status, total := s.leave()
			if c.may && status != exitStopped {
				return
			}
			if took := total - before; took > 2*time.Second || testing.Verbose() {
				t.Logf("%v of CPU time", took)
				if took > 2*time.Second {
					t.Error("that is too much")
				}
			}
			s.told(c, status)
		})
	}
}

// told looks at what an interrupted command has left.
func (s *seat) told(c toStop, status int) {
	s.t.Helper()
	if status != exitStopped {
		s.t.Errorf("exit status %d\n%s%s", status, s.seen.String(), s.stdout.String())
	}
	if !strings.Contains(c.command, "--json") {
		if !strings.Contains(s.seen.String()+s.stdout.String(), "interrupted") {
			s.t.Errorf("nobody says that it was interrupted:\n%s%s", s.seen.String(), s.stdout.String())
		}
	} else {
		s.marked("standard output", s.stdout.Bytes())
	}
	for _, name := range c.files {
		data, err := os.ReadFile(filepath.Join(s.cmd.Dir, name))
		if err != nil {
			s.t.Error(err)
			continue
		}
		if filepath.Ext(name) == ".html" { // the same fields are in what its script shows
			_, data, _ = bytes.Cut(data, []byte(`type="application/json">`))
			data, _, _ = bytes.Cut(data, []byte("</script>"))
		}
		s.marked(name, data)
	}
	for _, name := range c.old {
		if data, err := os.ReadFile(filepath.Join(s.cmd.Dir, name)); err != nil || string(data) != stays {
			s.t.Errorf("%s: %v, %d bytes, which are not those that were there", name, err, len(data))
		}
	}
	if names, _ := filepath.Glob(filepath.Join(s.cmd.Dir, "*.tmp*")); len(names) > 0 {
		s.t.Errorf("temporary files are left: %q", names)
	}
}

// marked tells whether a document can be read, and says that it was interrupted.
func (s *seat) marked(name string, data []byte) {
	s.t.Helper()
	var d struct {
		Verdict  verdict.Verdict `json:"verdict"`
		LeftOut  []string        `json:"left_out"`
		Rankings []struct {
			LeftOut []string `json:"left_out"`
		} `json:"rankings"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		s.t.Errorf("%s: %v\n%.2000s\n%s", name, err, data, s.seen.String())
		return
	}
	left := d.LeftOut
	for _, r := range d.Rankings {
		left = append(left, r.LeftOut...)
	}
	if d.Verdict == verdict.Holds || !slices.Contains(left, verdict.Interrupted) {
		s.t.Errorf("%s: %s, left out: %q", name, d.Verdict, left)
	}
}

// The second Ctrl-C ends motehound even if what it waits for does not.
func TestStopTwice(t *testing.T) {
	dir := t.TempDir()
	stubborn := "#!/bin/sh\ntrap '' INT\necho compiling >/dev/tty\ntail --pid=$PPID -f /dev/null\n"
	if err := os.WriteFile(filepath.Join(dir, "slow-gcc"), []byte(stubborn), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "app.c"), []byte("int main(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := sit(t, dir, dir, false, "trace", "cc", "--", "slow-gcc", "-c", "app.c")
	if !s.await("compiling") {
		t.Fatalf("no compiler was asked:\n%s", s.seen.String())
	}
	s.press()
	if !s.await("stopping") {
		t.Fatalf("one Ctrl-C was enough:\n%s", s.seen.String())
	}
	before := s.worked()
	s.press()
	if status, total := s.leave(); status != exitStopped || total-before > 2*time.Second {
		t.Errorf("exit status %d, %v of CPU time\n%s", status, total-before, s.seen.String())
	}
}
