package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"motehound/firmware/disk"
	"motehound/firmware/pathtrace/runtime"
)

// traceComponentFlags are the flags of trace component.
type traceComponentFlags struct {
	app  string
	over []string
}

// carriers is what a component can answer over, with TinyOS' component for it.
var carriers = map[string]string{"serial": "MotehoundTraceSerialC", "radio": "MotehoundTraceRadioC"}

func traceComponentCommand() *cobra.Command {
	var f traceComponentFlags
	cmd := &cobra.Command{
		Use:   "component [flags] " + strings.Join(runtime.Kernels, "|") + " [DIRECTORY]",
		Short: "Write components for TinyOS and Contiki that answer trace pull",
		Long: `Writes components for a kernel that answer trace pull into a directory (default: motehound). With --app it also writes a
configuration that contains the application and the component, so the application's own files stay unchanged:

  motehound trace component --app BlinkAppC tinyos2
  make micaz COMPONENT=TracedBlinkAppC PFLAGS=-Imotehound GCC=$PWD/tracing-gcc

Or add one line to the application's configuration: components MotehoundTraceSerialC; (or MotehoundTraceRadioC). Contiki needs no
files: trace cc --query links a process. Its files are for those who want another one.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error { return f.write(args) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.app, "app", "", "the application's top-level `configuration`, for TinyOS")
	fl.StringSliceVar(&f.over, "over", []string{"serial"}, "how to ask the application of --app: serial, radio, or both")
	return cmd
}

func (f *traceComponentFlags) write(args []string) error {
	kernel, dir := args[0], "motehound"
	if len(args) == 2 {
		dir = args[1]
	}
	if !slices.Contains(runtime.Kernels, kernel) {
		return fmt.Errorf("%s: give one of %s", kernel, strings.Join(runtime.Kernels, ", "))
	}
	files := runtime.Component(kernel)
	if f.app != "" {
		if kernel == "contiki" {
			return fmt.Errorf("--app: Contiki has no configurations; build with trace cc --query, which links and starts a process")
		}
		text, err := f.configuration(kernel)
		if err != nil {
			return err
		}
		files["Traced"+f.app+".nc"] = text
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(dir, name)
		if err := disk.Write(file, files[name], 0o666); err != nil {
			return err
		}
		fmt.Fprintln(stdout, file)
	}
	return nil
}

// configuration has the application and what answers for it.
func (f *traceComponentFlags) configuration(kernel string) ([]byte, error) {
	components := []string{f.app}
	for _, over := range f.over {
		c, ok := carriers[over]
		if !ok {
			return nil, fmt.Errorf("--over %s: give serial, radio, or both", over)
		}
		components = append(components, c)
	}
	if kernel == "tinyos1" && len(components) > 2 {
		return nil, fmt.Errorf("--over: a TinyOS 1 mote cannot see where a message came from, so it answers over one: give serial or radio")
	}
	return fmt.Appendf(nil, "// %s, and what answers questions about its trace.\nconfiguration Traced%s { }\nimplementation {\n  components %s;\n}\n",
		f.app, f.app, strings.Join(components, ", ")), nil
}
