package job

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"motehound/firmware/disk"
	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/instrument"
	"motehound/firmware/pathtrace/runtime"
	"motehound/job/document"
	"motehound/job/phrase"
)

// TraceChoice says what to instrument.
type TraceChoice struct {
	Components []string `json:"components,omitempty"`
	Sources    []string `json:"files,omitempty"`
	Functions  []string `json:"functions,omitempty"`
	Kinds      []string `json:"kinds,omitempty"`
	Exclude    []string `json:"exclude,omitempty"`
	Silent     []string `json:"silent,omitempty"`
	SinglePath bool     `json:"single_path,omitempty"`
	Map        string   `json:"trace_map"`
}

// Kinds are the kinds of functions.
func Kinds() []string {
	return phrase.NamesOf([]cflow.Kind{cflow.Plain, cflow.Interrupt, cflow.Task}, cflow.Kind.String)
}

func (f *TraceChoice) choice() (instrument.Choice, error) {
	c := instrument.Choice{Components: f.Components, Files: f.Sources, Functions: f.Functions, Except: f.Exclude, All: f.SinglePath, Silent: f.Silent}
	kinds := []cflow.Kind{cflow.Plain, cflow.Interrupt, cflow.Task}
	for _, name := range f.Kinds {
		n := len(c.Kinds)
		for _, k := range kinds {
			if k.String() == name {
				c.Kinds = append(c.Kinds, k)
			}
		}
		if len(c.Kinds) == n {
			return c, fmt.Errorf("--kind %s: give %s", name, phrase.List(kinds, cflow.Kind.String))
		}
	}
	return c, c.Check()
}

// TraceInstrument asks for one C file to be instrumented.
type TraceInstrument struct {
	TraceChoice
	File     string   `json:"file"`
	Compiler []string `json:"compiler,omitempty"` // that preprocesses it, with its arguments
	Output   string   `json:"output,omitempty"`   // "" for FILE.traced.c
	Runtime  string   `json:"runtime_dir,omitempty"`
}

// Do writes the instrumented file, its map and the runtime.
func (f TraceInstrument) Do(ctx context.Context, h Host) (*document.Instrumented, error) {
	file := f.File
	choice, err := f.choice()
	if err != nil {
		return nil, err
	}
	text, err := f.preprocessed(ctx, h)
	if err != nil {
		return nil, err
	}
	u, err := cflow.Parse(text)
	if err != nil {
		hint := ""
		if len(f.Compiler) == 0 {
			hint = fmt.Sprintf("; to preprocess it first, give the compiler: motehound trace instrument %s -- avr-gcc -mmcu=atmega128", file)
		}
		return nil, fmt.Errorf("%s: %w%s", file, err, hint)
	}
	plan := instrument.Prepare(u, file, choice)
	m := instrument.New()
	if err := m.Add(file, plan); err != nil {
		return nil, err
	}
	if f.Output == "" {
		f.Output = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + ".traced.c"
	}
	source := fmt.Appendf(nil, "#define MH_TRACE_PROCS %d\n#include \"%s\"\n# 1 %q\n", max(len(plan.Procs), 1), runtime.Header, file)
	source = append(append(source, plan.Rewrite(instrument.Macros)...), plan.Mark()...)
	if err := disk.Write(f.Output, source, 0o666); err != nil {
		return nil, err
	}
	if err := disk.Replace(f.Map, 0o666, m.Write); err != nil {
		return nil, err
	}
	if f.Runtime != "" {
		if err := os.MkdirAll(f.Runtime, 0o777); err != nil {
			return nil, err
		}
		if err := runtime.WriteFor(f.Runtime, max(len(plan.Procs), 1), disk.Write); err != nil {
			return nil, err
		}
	}
	doc := &document.Instrumented{File: file, Output: f.Output, Map: f.Map, Procs: []document.InstrumentedProcedure{}, Left: plan.Left}
	for _, q := range plan.Procs {
		doc.Procs = append(doc.Procs, document.InstrumentedProcedure{ID: q.ID, Name: q.Name, Kind: q.Kind, File: q.File, Line: q.Line, Paths: q.Paths, Cuts: len(q.Cuts)})
	}
	return doc, nil
}

// preprocessed is a file's text, after the preprocessor of the given compiler if there is one.
func (f *TraceInstrument) preprocessed(ctx context.Context, h Host) ([]byte, error) {
	file, compiler := f.File, f.Compiler
	if len(f.Compiler) == 0 {
		return os.ReadFile(file)
	}
	cmd := exec.CommandContext(ctx, compiler[0], append(slices.Clone(compiler[1:]), "-E", file)...)
	cmd.Stderr = h.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("cannot preprocess %s: %s: %w", file, strings.Join(cmd.Args, " "), err)
	}
	return text, nil
}
