// Package driver wraps a C compiler. It runs the given command. Where the command compiles C, it instruments the preprocessed source,
// and links the runtime with the program.
//
// Invariants: a command that it does not understand, or that does not compile C, is run unchanged. So is one whose source does not
// compile, so that the compiler's messages are about what the programmer wrote. Where the instrumented source does not compile, the
// plain one is compiled instead and listed in the map. Files of the build have the same names as without the driver. Compilers that
// run at the same time agree on the ids of procedures through the map.
package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"motehound/firmware/pathtrace/instrument"
)

// Options says how to instrument.
type Options struct {
	Choice  instrument.Choice
	Map     string // file
	Procs   int    // an upper bound of the number of procedures that all files agree on; 0 for exact in whole programs, else the most
	Runtime Runtime
	Labels  bool      // on every edge, see instrument.Labels
	Query   bool      // link the query service, too
	Stack   int       // bytes of memory that must be left for the stack
	Keep    string    // directory for the instrumented sources; none if empty
	Note    io.Writer // for what was left as it is
	Stdout  io.Writer
	Stderr  io.Writer
}

// Runtime is what is linked with the program.
type Runtime string

// The runtimes.
const (
	AT45DB Runtime = "at45db" // with the flash of the Mica boards
	Own    Runtime = "own"    // with the program's own functions for a flash
	None   Runtime = "none"   // nothing: the build does it
)

// Runtimes is all of them.
var Runtimes = []Runtime{AT45DB, Own, None}

// A job is one command.
type job struct {
	Options
	ctx      context.Context
	compiler []string // with a launcher before it
	args     arguments
	dir      string // for temporary files
	clock    string // option for the runtime: the kernel's clock is the log's
	contiki  bool   // the program is Contiki's
	header   header // the last one that was asked for
}

// launchers are programs that take a compiler's command for their arguments.
var launchers = []string{"ccache", "sccache", "distcc", "icecc", "nice"}

// Run runs a compiler's command and gives its exit status. The error is about what is ours: the map, temporary files.
func Run(ctx context.Context, o Options, command []string) (status int, err error) {
	n := 1
	for n < len(command) && slices.Contains(launchers, filepath.Base(command[n-1])) {
		n++
	}
	args := command[n:]
	j := &job{Options: o, ctx: ctx, compiler: command[:n], args: parseArguments(args)}
	if !j.args.compiles() {
		if j.args.mode == linking && len(j.args.inputs) > 0 && !j.args.unknown {
			return j.linkOnly(args)
		}
		return j.plain(args)
	}
	if j.dir, err = os.MkdirTemp("", "motehound-trace-"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(j.dir)) }()
	units, objection, err := j.prepare()
	if err != nil {
		return 0, err
	}
	if units == nil {
		if status, err = j.plain(args); status == 0 && err == nil {
			j.note("nothing was instrumented, because the compiler refuses to run its steps one by one: %s", firstError(objection))
		}
		return status, err
	}
	return j.build(units)
}

// run prepares the compiler.
func (j *job) run(args ...string) *exec.Cmd {
	return exec.CommandContext(j.ctx, j.compiler[0], append(slices.Clone(j.compiler[1:]), args...)...)
}

// machine is the environment variable by which a command that starts others tells them the chip: nesC's compiler is started by gcc
// for the whole program, but starts gcc in turn for a family of chips only, for which no runtime can be compiled.
const machine = "MOTEHOUND_TRACE_MMCU"

// plain runs the command as it is.
func (j *job) plain(args []string) (int, error) {
	cmd := j.run(args...)
	if chip := j.args.machine(); chip != "" && os.Getenv(machine) == "" {
		cmd.Env = append(os.Environ(), machine+"="+chip)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, j.Stdout, j.Stderr
	return j.status(cmd.Run())
}

// quietly runs a compiler of ours, with its messages kept.
func (j *job) quietly(args ...string) (messages []byte, ok bool, err error) {
	out, err := j.run(args...).CombinedOutput()
	status, err := j.status(err)
	return out, status == 0 && err == nil, err
}

// status tells a compiler that failed from one that cannot be run.
func (j *job) status(err error) (int, error) {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode(), nil
	case errors.As(err, &exit):
		return 1, nil // ended by a signal
	default:
		return 0, fmt.Errorf("cannot run the compiler: %w", err)
	}
}

// refuse says why there is no program.
func (j *job) refuse(format string, args ...any) {
	fmt.Fprintf(j.Stderr, "motehound trace: error: "+format+"\n", args...)
}

func (j *job) note(format string, args ...any) {
	if j.Note != nil {
		fmt.Fprintf(j.Note, "motehound trace: "+format+"\n", args...)
	}
}
