// Package runtime holds the tracer that runs on motes: portable C99 sources that are compiled together with instrumented code, and
// need 300 bytes of memory.
//
// Invariants: the sources need no heap and no kernel; study/fieldtrace/record reads back exactly what they write; the comments of
// motehound_trace.h are the contract with the instrumenter, those of motehound_trace_state.h describe the format.
package runtime

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
)

//go:embed src/*.h src/*.c
var files embed.FS

//go:embed kernels
var kernels embed.FS

// Header is the file that instrumented code includes.
const Header = "motehound_trace.h"

// Core is what every traced program is linked with, besides one Store.
var Core = []string{"motehound_trace.c", "motehound_trace_sequence.c", "motehound_trace_log.c", "motehound_trace_idle.c", "motehound_trace_extra.c", "motehound_trace_round.c"}

// Query is the query service, for programs that call it.
var Query = []string{"motehound_trace_query.c"}

// AT45DB is the Store of the Mica boards.
const AT45DB = "motehound_trace_at45db.c"

// Contiki is the process that answers questions on Contiki, one of the files of that kernel.
const Contiki = "motehound_trace_contiki.c"

// Kernels names those that have ready components which answer questions.
var Kernels = []string{"tinyos2", "tinyos1", "contiki"}

// Component is the files of a kernel's component, by name.
func Component(kernel string) map[string][]byte {
	entries, err := kernels.ReadDir("kernels/" + kernel)
	if err != nil {
		panic(fmt.Sprintf("BUG: no such kernel: %v", err))
	}
	all := map[string][]byte{}
	for _, e := range entries {
		text, err := kernels.ReadFile("kernels/" + kernel + "/" + e.Name())
		if err != nil {
			panic(fmt.Sprintf("BUG: %v", err))
		}
		all[e.Name()] = text
	}
	return all
}

// source returns the text of one of the files.
func source(name string) []byte {
	b, err := files.ReadFile("src/" + name)
	if err != nil {
		panic(fmt.Sprintf("BUG: no such file in the tracer: %v", err))
	}
	return b
}

// fileNames lists all files, sorted.
func fileNames() []string {
	entries, err := files.ReadDir("src")
	if err != nil {
		panic(fmt.Sprintf("BUG: %v", err))
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// WriteFor is Write for a program with so many procedures: the files compile for it without an option.
func WriteFor(dir string, procs int, write func(path string, data []byte, perm fs.FileMode) error) error {
	if err := Write(dir, write); err != nil {
		return err
	}
	unset := []byte("#define MH_TRACE_PROCS 16384\n")
	header := source(Header)
	if !bytes.Contains(header, unset) {
		panic("BUG: the runtime's header does not say how many procedures there may be")
	}
	header = bytes.Replace(header, unset, fmt.Appendf(nil, "#define MH_TRACE_PROCS %d\n", procs), 1)
	return write(filepath.Join(dir, Header), header, 0o666)
}

// Write puts all files into a directory, which must exist.
func Write(dir string, write func(path string, data []byte, perm fs.FileMode) error) error {
	for _, n := range fileNames() {
		if err := write(filepath.Join(dir, n), source(n), 0o666); err != nil {
			return err
		}
	}
	return nil
}
