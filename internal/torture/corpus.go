// Package torture gives Motehound what no build makes: damaged firmware, recipes, scenarios, models, logs and folders. It wants a message
// each time, no panic and no endless work.
//
// Invariants: the same seed makes the same cases. What bounds a case is virtual time, steps and bytes, never the host's clock.
package torture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"motehound/internal/testkit"
)

// made is what is made once for all tests: the command, and files that it wrote.
var made struct {
	once sync.Once
	all  Corpus
	err  error
}

// Corpus is a folder with the command, and with a file of each kind that it writes.
type Corpus struct{ Program, Dir string }

// Make makes a corpus, once for all tests of a package. testkit.Root must be right.
func Make(t *testing.T) *Corpus {
	t.Helper()
	made.once.Do(func() {
		made.all.Program = testkit.Command(t)
		made.all.Dir = filepath.Dir(made.all.Program)
		made.err = made.all.fill()
	})
	if made.err != nil {
		t.Fatal(made.err)
	}
	return &made.all
}

func (c *Corpus) fill() error {
	example := func(name string) string { return filepath.Join(testkit.Root, "examples", name) }
	in := func(name string) string { return filepath.Join(c.Dir, name) }
	for _, args := range [][]string{
		{"run", "--nodes", "2", "--time", "100ms", "--out", in("run"), "--bundle", "example:counter"},
		{"check", "--budget", "0", "--walks", "10", "--events", "2000", "--depth", "3", "--shorten", "2000", "--threads", "1", "--out", in("check"), "--bundle", example("dissem/dissem.star")},
		{"symbolic", "--out", in("symbolic"), "--bundle", example("tinytcp/port.star")},
		{"symbolic", "--out", in("kept"), "--budget", "1ns", example("tinytcp/port.star")},
		{"model", "mine", "--time", "1s", "--models", in("models.json"), "--board", "micaz", "example:pollute"},
		{"model", "verify", "--strict", "--time", "5s", "--models", in("models.json"), "--out", in("verify"), "--board", "micaz", "example:pollute"},
		{"trace", "pull", "--time", "5s", "--board", "micaz", "-o", in("flash.bin"), "example:oscilloscope_traced"},
	} {
		if status, text := c.Run("", args...); status > 1 || status < 0 {
			return fmt.Errorf("%v: status %d\n%s", args, status, text)
		}
	}
	return nil
}

// Run runs the command to its end, in a shell that sets limits first.
func (c *Corpus) Run(limits string, args ...string) (status int, output string) {
	cmd := exec.Command("sh", append([]string{"-c", limits + ` exec "$0" "$@"`, c.Program}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return -1, err.Error()
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// Read reads a file.
func Read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Sealed gives an exploration the checksum that it should have.
func Sealed(data []byte) []byte {
	const magic = "motehound exploration "
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	_, body, ok2 := bytes.Cut(rest, []byte(" "))
	if !ok || !ok2 {
		return data
	}
	sum := sha256.Sum256(body)
	return append([]byte(magic+hex.EncodeToString(sum[:])+" "), body...)
}
