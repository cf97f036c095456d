package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"motehound/job"
)

func traceComponentCommand() *cobra.Command {
	var f job.TraceComponent
	cmd := &cobra.Command{
		Use:   "component [flags] " + strings.Join(job.TraceKernels(), "|") + " [DIRECTORY]",
		Short: "Write components for TinyOS and Contiki that answer trace pull",
		Long: `Writes components for a kernel that answer trace pull into a directory (default: motehound). With --app it also writes a
configuration that contains the application and the component, so the application's own files stay unchanged:

  motehound trace component --app BlinkAppC tinyos2
  make micaz COMPONENT=TracedBlinkAppC PFLAGS=-Imotehound GCC=$PWD/tracing-gcc

Or add one line to the application's configuration: components MotehoundTraceSerialC; (or MotehoundTraceRadioC). Contiki needs no
files: trace cc --query links a process. Its files are for those who want another one.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			r := f
			if r.Kernel, r.Folder = args[0], "motehound"; len(args) == 2 {
				r.Folder = args[1]
			}
			written, err := r.Do()
			for _, file := range written {
				fmt.Fprintln(stdout, file)
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.App, "app", "", "the application's top-level `configuration`, for TinyOS")
	fl.StringSliceVar(&f.Over, "over", []string{"serial"}, "how to ask the application of --app: serial, radio, or both")
	return cmd
}
