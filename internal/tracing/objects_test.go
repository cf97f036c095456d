package tracing

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// objects is a folder of compiled sources. Builds share what the preprocessor makes the same of: most of the kernel and of the tracer.
type objects struct {
	dir  string
	made map[string]string // by command and source
}

// compile gives the object of a source for a compiler with its flags.
func (o objects) compile(t *testing.T, command []string, source string) string {
	t.Helper()
	asked := strings.Join(append(slices.Clone(command), source), "\n")
	if object, ok := o.made[asked]; ok {
		return object
	}
	run := func(args ...string) []byte {
		c := exec.Command(command[0], slices.Concat(command[1:], args)...)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		return out
	}
	key := sha256.New()
	for _, flag := range command {
		if !strings.HasPrefix(flag, "-D") && !strings.HasPrefix(flag, "-I") { // what these do is in the text
			fmt.Fprintln(key, flag)
		}
	}
	key.Write(run("-E", source))
	object := filepath.Join(o.dir, fmt.Sprintf("%x.o", key.Sum(nil)))
	if _, err := os.Stat(object); err != nil {
		run("-c", "-o", object, source)
	}
	o.made[asked] = object
	return object
}
