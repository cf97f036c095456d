package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/vbauerster/mpb/v8/cwriter"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/export"
	"motehound/show/live"
)

// runFlags are the flags of run.
type runFlags struct {
	worldFlags
	asked  job.Run
	serial []string
	gdb    gdbFlags
	pace   string
	json   bool
	quiet  bool

	exports export.Files
}

func runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [flags] FIRMWARE|SCENARIO",
		Short: "Run motes and report their UARTs, LEDs, pins and how the run ended",
		Long: `Runs a firmware file (ELF, Intel HEX or SREC) on emulated motes and reports what they did. FIRMWARE may be a built-in
example, such as example:blink or example:serial-uno. A SCENARIO is a file that ends in .star (docs/scenarios.md): it describes
the motes, who hears whom, what happens when, and what must hold.

Boards: ` + strings.Join(job.Boards(), ", ") + `
Chips:  ` + strings.Join(job.Chips(), ", ") + `
Without --board and --chip they are guessed from the file.

Node ids are K, K+1, ... for --first-id K (default 0). A single mote without --first-id keeps the node id of its firmware
(1 for TinyOS; 0 if it has none).

--serial connects a mote's UART with the host:
  ` + live.Usage + `
  MOTE is a node id. With a single mote it can be left out, and 0 means that mote too.
  USART is the board's console unless given.
  stdio   uses standard input and output; the report then goes to standard error. With --json it is the other way round.
          Virtual time waits for input from a pipe or a file.
  pty     makes a pseudo terminal and prints its name. LINK becomes a symbolic link to it. Opening it resets an Arduino.
  tcp     listens on a port, on this machine only unless HOST is given. Port 0 takes a free port. The address is printed.
  sf      is TinyOS's serial forwarder, for its host tools (MOTECOM=sf@localhost:9002).

Built-in checks of memory, stack and kernel watch the run; docs/scenarios.md lists them. What they find comes first, with its line and
time. Memory checks end after 400 million instructions, unless --full-checks is given.

--lifecycle - prints interrupts, posts and tasks as they happen.`,
		Args: exactlyOne("firmware file", "example:blink"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), args[0]) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.worldFlags.register(fl)
	fl.StringArrayVar(&f.serial, "serial", nil, "connect a UART with the host, see above (`N=WHERE`, repeatable)")
	fl.StringVar(&f.pace, "pace", "auto", "virtual seconds per second: off (no limit), real or a `factor`; auto is real while --serial is interactive")
	fl.StringArrayVar(&f.asked.Dump, "dump", nil, "show memory at the end: `ADDR:LEN`, NAME:LEN or NAME; 1.NAME is mote 1's (repeatable)")
	fl.StringArrayVar(&f.asked.Vars, "var", nil, about("var"))
	fl.BoolVar(&f.asked.LEDs, "leds", false, "print each change of a LED as it happens")
	fl.BoolVar(&f.asked.Pins, "trace-pins", false, "print each change of a pin as it happens")
	fl.BoolVar(&f.asked.Blocks, "blocks", false, "report code outside of all basic blocks, and what ran there")
	fl.BoolVar(&f.asked.Energy, "energy", false, about("energy"))
	fl.StringVar(&f.asked.Lifecycle.Lifecycle, "lifecycle", "", about("lifecycle"))
	fl.StringArrayVar(&f.asked.Kernels, "kernel", nil, about("kernel"))
	registerGuard(fl, &f.asked.Guard)
	registerExports(fl, &f.exports)
	f.gdb.register(fl)
	fl.StringVar(&f.asked.Out, "out", "", about("out"))
	fl.BoolVar(&f.asked.Bundle, "bundle", false, about("bundle"))
	registerOutput(fl, &f.json, &f.quiet)
	return cmd
}

// registerGuard adds the flags of the built-in checks of timed runs.
func registerGuard(fl *pflag.FlagSet, g *job.Guard) {
	fl.BoolVar(&g.NoChecks, "no-checks", false, "switch the built-in checks off: faster")
	fl.BoolVar(&g.FullChecks, "full-checks", false, "keep the memory checks on in long runs: slower")
	fl.BoolVar(&g.Watchdog, "watchdog", false, "also report resets by the watchdog")
}

// registerExports adds the flags of the files that show a run in other tools.
func registerExports(fl *pflag.FlagSet, f *export.Files) {
	fl.StringVar(&f.Perfetto, "perfetto", "", "write interrupts, tasks, calls, frames, LEDs and each --var to this `file`, for ui.perfetto.dev")
	fl.StringVar(&f.VCD, "vcd", "", "write pins, LEDs, ports, interrupts and each --var to this `file`, for GTKWave")
	fl.StringVar(&f.LCOV, "lcov", "", about("lcov"))
	fl.StringVar(&f.Cobertura, "cobertura", "", "write how often lines and functions ran to this `file`, as Cobertura XML")
	fl.StringVar(&f.Pprof, "pprof", "", "write the cycles spent in functions to this `file`, for 'go tool pprof'")
	fl.StringVar(&f.Chart, "chart", "", "write who heard which frame to this `file`, as a chart (.svg: a picture)")
	fl.StringVar(&f.Pcap, "pcap", "", "write all radio frames to this `file`, as pcapng for Wireshark")
}

// exactlyOne wants one argument, and says what it is when it is missing.
func exactlyOne(what, such string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return fmt.Errorf("give a %s, for example: %s %s", what, cmd.CommandPath(), such)
		case 1:
			return nil
		}
		return fmt.Errorf("give one %s, not %d: %s", what, len(args), strings.Join(args, " "))
	}
}

// atLeastOne wants arguments, none of them twice, and says what they are when there is none.
func atLeastOne(what, such string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exactlyOne(what, such)(cmd, args)
		}
		for i, a := range args {
			if slices.Contains(args[:i], a) {
				return fmt.Errorf("%s is given twice", a)
			}
		}
		return nil
	}
}

func (f *runFlags) run(ctx context.Context, firmware string) error {
	term := newTerminal(f.json, f.quiet, f.serial)
	r := f.asked
	r.World, r.File = f.request(), firmware
	host := term.host()
	line := live.Connector{Serial: f.serial, Pace: f.pace, Say: term.say, Note: term.note,
		Stdio: live.Stdio{Log: func(line string) { term.say("%s", line) }, In: os.Stdin, Out: stdout, Terminal: cwriter.IsTerminal(int(os.Stdin.Fd()))}}
	if f.json {
		line.Stdio.Out = os.Stderr
	}
	host.Connect = line.Connect
	f.exports.Vars = r.Vars
	if f.exports.Asked() {
		host.Attach = f.exports.Attach
	}
	f.gdb.attach(&host, term)
	ran, err := r.Do(ctx, host)
	if err != nil {
		return err
	}
	if f.json {
		if err := document.Write(stdout, ran.Document); err != nil {
			return err
		}
	} else {
		s := summary{to: term.text, doc: ran.Document, ran: ran, quiet: f.quiet}
		s.print()
		s.verdict()
		s.printKept(ctx.Err() != nil)
	}
	if ran.Document.Found() {
		return errFound
	}
	return nil
}
