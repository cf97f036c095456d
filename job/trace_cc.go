package job

import (
	"context"
	"fmt"
	"slices"

	"motehound/firmware/pathtrace/driver"
	"motehound/firmware/pathtrace/instrument"
	"motehound/job/phrase"
)

// TraceCC asks for a compiler's command to be run with instrumentation.
type TraceCC struct {
	TraceChoice
	Procs   int      `json:"procs,omitempty"`
	Runtime string   `json:"runtime"`
	Query   bool     `json:"query,omitempty"`
	Stack   int      `json:"stack"`
	Keep    string   `json:"keep,omitempty"`
	Command []string `json:"command"`
}

// NewTraceCC is the usual request for a command.
func NewTraceCC(command ...string) TraceCC {
	return TraceCC{TraceChoice: TraceChoice{Map: DefaultMap}, Runtime: string(driver.AT45DB), Stack: driver.LeastStack, Command: command}
}

// Runtimes are what can be linked.
func Runtimes() []string {
	return phrase.NamesOf(driver.Runtimes, func(r driver.Runtime) string { return string(r) })
}

// Check says what is wrong with the request.
func (f *TraceCC) Check() error {
	_, err := f.options(Host{})
	return err
}

func (f *TraceCC) options(h Host) (driver.Options, error) {
	choice, err := f.choice()
	if err != nil {
		return driver.Options{}, err
	}
	if f.Procs < 0 || f.Procs > instrument.MaxProcs {
		return driver.Options{}, fmt.Errorf("--procs %d: give 1 to %d", f.Procs, instrument.MaxProcs)
	}
	if !slices.Contains(driver.Runtimes, driver.Runtime(f.Runtime)) {
		return driver.Options{}, fmt.Errorf("--runtime %s: give %s", f.Runtime, phrase.List(driver.Runtimes, func(r driver.Runtime) string { return string(r) }))
	}
	return driver.Options{Choice: choice, Map: f.Map, Procs: f.Procs, Runtime: driver.Runtime(f.Runtime), Query: f.Query, Stack: f.Stack,
		Keep: f.Keep, Note: h.Notes, Stdout: h.Stdout, Stderr: h.Stderr}, nil
}

// Do runs the command, and gives the compiler's exit status.
func (f TraceCC) Do(ctx context.Context, h Host) (status int, err error) {
	o, err := f.options(h)
	if err != nil {
		return 0, err
	}
	return driver.Run(ctx, o, f.Command)
}
