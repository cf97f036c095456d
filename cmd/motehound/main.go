// Command motehound finds, explains and replays bugs in the firmware of networked sensor motes. Each subcommand has a
// file here, which holds its flags, its printing and its exit status; what it does is in the packages below.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/vbauerster/mpb/v8/cwriter"

	"motehound/job"
	"motehound/job/document"
)

// Exit statuses.
const (
	exitFine     = 0
	exitFound    = 1
	exitUsage    = 2
	exitInternal = 3
	exitStopped  = 130 // by Ctrl-C, as shells have it
)

// errFound ends a command that has found something and has said what.
var errFound = errors.New("found something")

func main() { os.Exit(guarded(func() int { return run(os.Args[1:]) })) }

// guarded gives a bug of ours its own exit status.
func guarded(f func() int) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "motehound: internal error: %v\n\n%s\n", p, debug.Stack())
			fmt.Fprintf(os.Stderr, "This is a bug in Motehound %s, not in your firmware. Please report it with the lines above,\n"+
				"the command line and, if you can, the firmware file.\n", version())
			status = exitInternal
		}
	}()
	return f()
}

// run is the process without its end.
func run(args []string) int {
	signals, cancel := context.WithCancel(context.Background())
	defer cancel()
	ctx := &interrupts{Context: signals}
	pressed := make(chan os.Signal, 2)
	signal.Notify(pressed, os.Interrupt, syscall.SIGTERM)
	go heed(pressed, cancel)
	takeLimitsAsErrors()
	defer job.Discard()
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	cmd, err := root.ExecuteContextC(ctx)
	stopped := ctx.seen.Load()
	asJSON, _ := cmd.Flags().GetBool("json")
	if unfinished := new(job.Unfinished); errors.As(err, &unfinished) && asJSON {
		if failed := document.Write(stdout, unfinished.Document()); failed != nil {
			err = failed
		}
	}
	if failed := stdout.failed(); failed != nil && !errors.Is(err, failed) {
		err = failed
	}
	switch {
	case stopped && (err == nil || errors.Is(err, errFound)):
		return exitStopped
	case errors.Is(err, job.ErrInterrupted), ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintf(os.Stderr, "motehound: %v\n", err)
		return exitStopped
	case err == nil:
		return exitFine
	case errors.Is(err, errFound):
		return exitFound
	default:
		fmt.Fprintf(os.Stderr, "motehound: %v\n", err)
		fmt.Fprintf(os.Stderr, "See '%s --help'.\n", cmd.CommandPath())
		return exitUsage
	}
}

// heed has the first Ctrl-C end what is being done, and the second one the process, whatever it does.
func heed(pressed <-chan os.Signal, cancel func()) {
	<-pressed
	if cwriter.IsTerminal(int(os.Stderr.Fd())) {
		fmt.Fprint(os.Stderr, "\r\x1b[Kstopping; press Ctrl-C again to end at once\n")
	}
	cancel()
	<-pressed
	job.Discard()
	os.Exit(exitStopped)
}

// family is a command that only has others below it.
func family(cmd *cobra.Command, members ...*cobra.Command) *cobra.Command {
	cmd.Args = unknownCommand
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(members...)
	return cmd
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "motehound",
		Short: "Finds, explains and replays bugs in the firmware of networked sensor motes",
		Long: `Motehound runs firmware files (ELF, Intel HEX or SREC), unchanged, on emulated motes. It looks for bugs, explains them, and
replays every run exactly from a small file, its recipe. 'motehound demo' shows it on built-in examples.

Exit status: 0 nothing found, 1 something found, 2 wrong usage or bad input, 3 internal error, 130 interrupted.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Version:       version(),
	}
	root.AddCommand(runCommand(), mineCommand(), modelCommand(), checkCommand(), fuzzCommand(), huntCommand(), findingsCommand(), symbolicCommand(), traceCommand(), replayCommand(), debugCommand(), serveCommand(), campaignCommand(), workerCommand(), demoCommand(), versionCommand(), manCommand())
	root.SetVersionTemplate("motehound {{.Version}}\n")
	prepareFlags(root)
	root.SetGlobalNormalizationFunc(alias)
	return root
}

// alias has --set mean --param, as in many other tools.
func alias(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "set" {
		name = "param"
	}
	return pflag.NormalizedName(name)
}
