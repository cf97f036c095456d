package torture

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"motehound/internal/testkit"
)

const exampleDir = "../../examples"

// made is what is made once for all tests: files that the command wrote.
var made struct {
	once         sync.Once
	program, dir string
	err          error
}

func TestMain(m *testing.M) { testkit.Main(m) }

// corpus is a folder with the command and with a file of each kind that it writes.
func corpus(t *testing.T) string {
	t.Helper()
	made.once.Do(func() {
		made.program = testkit.Command(t)
		made.dir = filepath.Dir(made.program)
		made.err = makeCorpus()
	})
	if made.err != nil {
		t.Fatal(made.err)
	}
	return made.dir
}

func makeCorpus() error {
	example := func(name string) string { return filepath.Join(exampleDir, name) }
	in := func(name string) string { return filepath.Join(made.dir, name) }
	for _, args := range [][]string{
		{"run", "--nodes", "2", "--time", "100ms", "--out", in("run"), "--bundle", "example:counter"},
		{"check", "--budget", "0", "--walks", "10", "--events", "2000", "--depth", "3", "--threads", "1", "--out", in("check"), "--bundle", example("dissem/dissem.star")},
		{"symbolic", "--out", in("symbolic"), "--bundle", example("tinytcp/port.star")},
		{"symbolic", "--out", in("kept"), "--budget", "1ns", example("tinytcp/port.star")},
		{"model", "mine", "--time", "1s", "--models", in("models.json"), "--board", "micaz", "example:pollute"},
		{"model", "verify", "--strict", "--time", "5s", "--models", in("models.json"), "--out", in("verify"), "--board", "micaz", "example:pollute"},
		{"trace", "pull", "--time", "5s", "--board", "micaz", "-o", in("flash.bin"), "example:oscilloscope_traced"},
	} {
		if status, text := run(args...); status > 1 || status < 0 {
			return fmt.Errorf("%v: status %d\n%s", args, status, text)
		}
	}
	return nil
}

// run runs the command to its end.
func run(args ...string) (status int, output string) { return runLimited("", args...) }

// runLimited runs the command in a shell that sets limits first.
func runLimited(limits string, args ...string) (status int, output string) {
	c := exec.Command("sh", append([]string{"-c", limits + ` exec "$0" "$@"`, made.program}, args...)...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return -1, err.Error()
	}
	return c.ProcessState.ExitCode(), out.String()
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
