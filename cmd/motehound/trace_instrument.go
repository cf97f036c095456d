package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"motehound/firmware/disk"
	"motehound/firmware/pathtrace/cflow"
	"motehound/firmware/pathtrace/instrument"
	"motehound/firmware/pathtrace/runtime"
	"motehound/job/document"
)

// traceInstrumentFlags are the flags of trace instrument.
type traceInstrumentFlags struct {
	choiceFlags
	out     string
	runtime string
	list    bool
	json    bool
	quiet   bool
}

func traceInstrumentCommand() *cobra.Command {
	var f traceInstrumentFlags
	cmd := &cobra.Command{
		Use:   "instrument [flags] FILE [-- COMPILER ARGS...]",
		Short: "Instrument one C file, for builds that compile it themselves",
		Long: `Writes a C file that records its paths, and the map that reads them back. The file includes motehound_trace.h; compile it
together with the runtime's sources, which --runtime-dir writes. What is not preprocessed yet needs the compiler that does it, with
the arguments that the file is compiled with.

Exit status: 0 something was instrumented, 1 nothing was.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, compiler := afterDash(cmd, args)
			if err := exactlyOne("C file", "app.c -- avr-gcc -mmcu=atmega128")(cmd, files); err != nil {
				return err
			}
			return f.run(cmd.Context(), files[0], compiler)
		},
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.StringVarP(&f.out, "output", "o", "", about("output"))
	fl.Lookup("output").DefValue = "FILE.traced.c"
	fl.StringVar(&f.runtime, "runtime-dir", "", "write the runtime's sources into this `directory`")
	fl.BoolVar(&f.list, "list", false, "list all functions that were left as they are, and why")
	fl.BoolVar(&f.json, "json", false, about("json"))
	fl.BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	return cmd
}

func (f *traceInstrumentFlags) run(ctx context.Context, file string, compiler []string) error {
	choice, err := f.choice()
	if err != nil {
		return err
	}
	text, err := preprocessed(ctx, file, compiler)
	if err != nil {
		return err
	}
	u, err := cflow.Parse(text)
	if err != nil {
		hint := ""
		if len(compiler) == 0 {
			hint = fmt.Sprintf("; to preprocess it first, give the compiler: motehound trace instrument %s -- avr-gcc -mmcu=atmega128", file)
		}
		return fmt.Errorf("%s: %w%s", file, err, hint)
	}
	plan := instrument.Prepare(u, file, choice)
	m := instrument.New()
	if err := m.Add(file, plan); err != nil {
		return err
	}
	if f.out == "" {
		f.out = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + ".traced.c"
	}
	source := fmt.Appendf(nil, "#define MH_TRACE_PROCS %d\n#include \"%s\"\n# 1 %q\n", max(len(plan.Procs), 1), runtime.Header, file)
	source = append(append(source, plan.Rewrite(instrument.Macros)...), plan.Mark()...)
	if err := disk.Write(f.out, source, 0o666); err != nil {
		return err
	}
	if err := disk.Replace(f.mapFile, 0o666, m.Write); err != nil {
		return err
	}
	if f.runtime != "" {
		if err := os.MkdirAll(f.runtime, 0o777); err != nil {
			return err
		}
		if err := runtime.WriteFor(f.runtime, max(len(plan.Procs), 1), disk.Write); err != nil {
			return err
		}
	}
	if err := f.report(file, plan); err != nil {
		return err
	}
	if len(plan.Procs) == 0 {
		return errFound
	}
	return nil
}

// preprocessed is a file's text, after the preprocessor of the given compiler if there is one.
func preprocessed(ctx context.Context, file string, compiler []string) ([]byte, error) {
	if len(compiler) == 0 {
		return os.ReadFile(file)
	}
	cmd := exec.CommandContext(ctx, compiler[0], append(slices.Clone(compiler[1:]), "-E", file)...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("cannot preprocess %s: %s: %w", file, strings.Join(cmd.Args, " "), err)
	}
	return text, nil
}

// instrumented is the report as JSON.
type instrumented struct {
	File   string             `json:"file"`
	Output string             `json:"output"`
	Map    string             `json:"map"`
	Procs  []instrumentedProc `json:"procs"`
	Left   []instrument.Left  `json:"left"`
}

type instrumentedProc struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Paths int    `json:"paths"`
	Cuts  int    `json:"cuts"`
}

func (f *traceInstrumentFlags) report(file string, p *instrument.Plan) error {
	doc := instrumented{File: file, Output: f.out, Map: f.mapFile, Procs: []instrumentedProc{}, Left: p.Left}
	for _, q := range p.Procs {
		doc.Procs = append(doc.Procs, instrumentedProc{q.ID, q.Name, q.Kind, q.File, q.Line, q.Paths, len(q.Cuts)})
	}
	switch {
	case f.json:
		return document.Write(stdout, doc)
	case !f.quiet:
		doc.print(stdout, f.list)
	}
	return nil
}

func (d *instrumented) print(to io.Writer, all bool) {
	kinds := map[string]int{}
	for _, p := range d.Procs {
		kinds[p.Kind]++
	}
	fmt.Fprintf(to, "%s: %d procedures traced (%d interrupt handlers, %d tasks), %d left as they are; map in %s\n", d.Output, len(d.Procs),
		kinds[cflow.Interrupt.String()], kinds[cflow.Task.String()], len(d.Left), d.Map)
	reasons := map[string]int{}
	for _, l := range d.Left {
		reasons[l.Why]++
		if all {
			fmt.Fprintf(to, "  %s:%d: %s: %s\n", l.File, l.Line, l.Name, l.Why)
		}
	}
	if all {
		return
	}
	var whys []string
	for why := range reasons {
		whys = append(whys, why)
	}
	slices.Sort(whys)
	for _, why := range whys {
		fmt.Fprintf(to, "  %5d %s\n", reasons[why], why)
	}
}
