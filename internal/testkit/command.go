package testkit

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Root is the repository's root, seen from a package two folders below it.
const Root = "../.."

// command is the motehound command, built once for all tests of a package.
var command struct {
	once sync.Once
	dir  string
	err  error
}

// Command is the path of the motehound command, built from this repository. The package's TestMain must be Main. Root must be right.
func Command(t testing.TB) string {
	t.Helper()
	command.once.Do(func() { command.err = buildCommand() })
	if command.err != nil {
		t.Fatal(command.err)
	}
	return filepath.Join(command.dir, "motehound")
}

func buildCommand() (err error) {
	if command.dir, err = os.MkdirTemp("", "motehound-"); err != nil {
		return err
	}
	if built := os.Getenv("MOTEHOUND_BUILT"); built != "" { // by make, from these sources
		return os.Symlink(filepath.Join(built, "motehound"), filepath.Join(command.dir, "motehound"))
	}
	build := exec.Command("go", "build", "-o", command.dir, "./cmd/motehound")
	build.Dir = Root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	// Go keeps a test's result until a file changes that the test itself has looked at. The command is made of all these.
	return filepath.WalkDir(Root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != Root {
			return fs.SkipDir
		}
		return err
	})
}

// Main runs the tests of a package, and removes the command that they have built.
func Main(m *testing.M) {
	status := m.Run()
	if command.dir != "" {
		os.RemoveAll(command.dir)
	}
	os.Exit(status)
}
