package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"motehound/job"
	"motehound/show/debugger"
)

// debugFlags are the flags of debug.
type debugFlags struct {
	worldFlags
	script string
	do     []string
	quiet  bool
}

const debugLong = `Opens a run to look inside: that of a finding's recipe or bundle, or of firmware or a scenario as 'run' makes it. Go to any moment, event, line
or instruction of any mote, forwards and backwards; ask who wrote a variable last, and where its value came from, across the air. Nothing
that is done here changes the run.

The first commands for a finding are 'finding', which goes to where it shows, 'where', and 'who VARIABLE' or 'origin VARIABLE'. 'help' lists all.
Commands are read from the terminal, from standard input, from a file with -x, or given with -e; a # begins a comment. docs/debugging.md has a tour.

Exit status: 0, or 2 if a command of a script is wrong.`

func debugCommand() *cobra.Command {
	f := new(debugFlags)
	cmd := &cobra.Command{Use: "debug [flags] RECIPE|BUNDLE|FIRMWARE|SCENARIO", Short: "Travel through a run, forwards and backwards, on all motes", Long: debugLong}
	cmd.Args = exactlyOne("recipe, firmware file or scenario", "DIR/finding-1.json")
	cmd.Flags().SortFlags = false
	f.worldFlags.register(cmd.Flags(), "pcap")
	cmd.Flags().StringArrayVarP(&f.do, "do", "e", nil, "do this `command`, and leave when all are done (repeatable)")
	cmd.Flags().StringVarP(&f.script, "commands", "x", "", "read commands from this `file`, and leave at its end")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, about("quiet"))
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), args[0]) }
	return cmd
}

func (f *debugFlags) run(ctx context.Context, name string) error {
	terminal := newTerminal(false, f.quiet, nil)
	var script io.Reader
	switch {
	case f.script != "" && len(f.do) > 0:
		return errors.New("give --commands or --do, not both")
	case len(f.do) > 0:
		script = strings.NewReader(strings.Join(f.do, "\n"))
	case f.script != "":
		file, err := os.Open(f.script)
		if err != nil {
			return fmt.Errorf("--commands: %w", err)
		}
		defer file.Close()
		script = file
	case !term.IsTerminal(int(os.Stdin.Fd())):
		script = os.Stdin
	}
	run, err := job.Debug{World: f.request(), File: name}.Open(ctx, terminal.host())
	if err != nil {
		return err
	}
	if script == nil {
		return dialogue(run, name)
	}
	return batch(ctx, debugger.New(run, stdout, func() bool { return ctx.Err() != nil }), script)
}

// batch does the commands of a script, and shows each. A wrong one ends it.
func batch(ctx context.Context, d *debugger.Debugger, script io.Reader) error {
	lines := bufio.NewScanner(script)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fmt.Fprintf(stdout, "%s%s\n", prompt, line)
		err := d.Do(line)
		switch {
		case errors.Is(err, debugger.ErrQuit):
			return nil
		case ctx.Err() != nil:
			return &job.Unfinished{}
		case err != nil:
			return fmt.Errorf("line %d, %q: %w", n, line, err)
		}
	}
	return lines.Err()
}

const prompt = "(motehound) "
