package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"motehound/job"
)

func demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show what Motehound does, on built-in examples",
		Long: `Runs a mote, finds a bug with check and one with symbolic, in firmware that is built in. Nothing else needs to be installed.
The sources are in the folder examples of Motehound's repository. It takes a few seconds.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), cmd.OutOrStdout()) },
	}
}

// demoSteps are commands that a user could give in the repository, each with what it shows, and where in the source.
var demoSteps = []struct {
	about, command string
	source         string
	lines          []int
}{
	{about: "Run: three timers toggle three LEDs on a MicaZ mote (examples/blink)",
		command: "run --board micaz --time 2s example:blink"},
	{about: "A bug found by check, in plain C for an Arduino Uno: an interrupt and the main program both change count (examples/ring/ring.c)",
		source: "examples/ring/ring.c", lines: []int{14, 19, 42},
		command: "check --quiet example:ring --serial-in hello"},
	{about: "A bug found by symbolic: a client that asks for port 0 is connected, but its server does not know (examples/tinytcp)",
		command: "symbolic --quiet examples/tinytcp/port.star"},
}

// demo gives the commands, in a folder that has the examples where the repository has them.
func demo(ctx context.Context, to io.Writer) error {
	home, err := os.Getwd()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "motehound-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(filepath.Join(dir, "examples"), job.DemoFiles()); err != nil {
		return err
	}
	if err := os.Chdir(dir); err != nil {
		return err
	}
	defer os.Chdir(home)
	fmt.Fprintln(to, "Motehound runs the binaries that you flash, unchanged, and finds bugs in them.")
	for i, step := range demoSteps {
		fmt.Fprintf(to, "\n%d. %s\n", i+1, step.about)
		if err := excerpt(to, step.source, step.lines); err != nil {
			return err
		}
		fmt.Fprintf(to, "   $ motehound %s\n", step.command)
		root := rootCommand()
		root.SetArgs(strings.Fields(step.command))
		if err := root.ExecuteContext(ctx); err != nil && !errors.Is(err, errFound) {
			return err
		}
		if ctx.Err() != nil {
			return job.ErrInterrupted
		}
	}
	fmt.Fprintln(to, "\nNow your own firmware: motehound run FIRMWARE.elf, then motehound check FIRMWARE.elf")
	return nil
}

// excerpt shows some lines of a source file.
func excerpt(to io.Writer, file string, lines []int) error {
	if len(lines) == 0 {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	all := strings.Split(string(text), "\n")
	for _, n := range lines {
		fmt.Fprintf(to, "   %3d  %s\n", n, all[n-1])
	}
	return nil
}
