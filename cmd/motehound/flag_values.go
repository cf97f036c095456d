package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/job/hunt"
	"motehound/job/phrase"
)

// values is what a flag takes, as far as it can be completed.
type values struct {
	words         func(*cobra.Command) []string // nil for none
	closed        bool                          // nothing but words
	file, folders bool                          // a path
}

// only is a set of words, and nothing else.
func only(words func(*cobra.Command) []string) values { return values{words: words, closed: true} }

// among is words among other values.
func among(words func(*cobra.Command) []string) values { return values{words: words} }

// orFiles is the same, or a file.
func (v values) orFiles() values { v.file = true; return v }

var files, folders = values{file: true}, values{folders: true}

func words(list ...string) func(*cobra.Command) []string {
	return func(*cobra.Command) []string { return list }
}

var bauds = words("9600", "19200", "38400", "57600", "115200")

// always is words that do not depend on the command.
func always(list func() []string) func(*cobra.Command) []string {
	return func(*cobra.Command) []string { return list() }
}

// What job has of these; exampleNames is the built-in firmware, as the command line names it.
var (
	boards       = always(job.Boards)
	chips        = always(job.Chips)
	topologies   = always(job.Topologies)
	mappings     = always(job.Mappings)
	searchers    = always(job.Searchers)
	engines      = always(func() []string { return hunt.Engines })
	runtimes     = always(job.Runtimes)
	kinds        = always(job.Kinds)
	exampleNames = always(job.Examples)
)

func endpoints(*cobra.Command) []string { return []string{"stdio", "pty", "tcp:", "sf:", "file:"} }

func detectors(*cobra.Command) []string {
	return phrase.NamesOf(job.Detectors(), func(d job.Detector) string { return d.Name })
}

// vectors is the interrupts of the board or chip that was given, or of all.
func vectors(cmd *cobra.Command) []string {
	return job.Vectors(cmd.Flag("board").Value.String(), cmd.Flag("chip").Value.String())
}

// tracedExamples is those that have a map.
func tracedExamples(cmd *cobra.Command) []string {
	return slices.DeleteFunc(exampleNames(cmd), func(name string) bool { return !strings.Contains(name, "_traced-") })
}

// completeFlags makes the values of all flags complete in the shell.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		row, _ := rowOf(commandName(cmd), f.Name)
		if row == nil || f.Value.Type() == "bool" {
			return
		}
		err := cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return row.values.complete(cmd, f, begun)
		})
		if err != nil {
			panic("BUG: " + err.Error())
		}
	})
}

// complete is the values that begin with what was typed.
func (v values) complete(cmd *cobra.Command, f *pflag.Flag, begun string) ([]string, cobra.ShellCompDirective) {
	if v.folders {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	before := ""
	if _, several := f.Value.(pflag.SliceValue); several && v.words != nil {
		if i := strings.LastIndexByte(begun, ','); i >= 0 {
			before, begun = begun[:i+1], begun[i+1:]
		}
	}
	var list []string
	if v.words != nil {
		for _, w := range v.words(cmd) {
			if strings.HasPrefix(strings.ToLower(w), strings.ToLower(begun)) {
				list = append(list, before+w)
			}
		}
	}
	if v.file {
		return pathsAnd(list, begun, func(string) bool { return true })
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	if slices.ContainsFunc(list, func(w string) bool { return strings.HasSuffix(w, ":") }) {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return list, directive
}

// pathsAnd is some words, and the files and folders that begin with what was typed. A shell would give files only where there are no words.
func pathsAnd(list []string, begun string, wanted func(name string) bool) ([]string, cobra.ShellCompDirective) {
	folder, begin := filepath.Split(begun)
	entries, err := os.ReadDir(filepath.Clean("./" + folder))
	if filepath.IsAbs(folder) {
		entries, err = os.ReadDir(folder)
	}
	if err != nil {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, e := range entries {
		name := e.Name()
		switch {
		case !strings.HasPrefix(name, begin) || begin == "" && strings.HasPrefix(name, "."):
		case e.IsDir():
			list = append(list, folder+name+"/")
			directive |= cobra.ShellCompDirectiveNoSpace
		case wanted(name):
			list = append(list, folder+name)
		}
	}
	return list, directive
}

// completeFirmware completes FIRMWARE|SCENARIO.
func completeFirmware(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, name := range exampleNames(cmd) {
		if begun != "" && strings.HasPrefix(name, begun) {
			list = append(list, name)
		}
	}
	if begun == "" {
		list = append(list, job.ExamplePrefix)
	}
	list, directive := pathsAnd(list, begun, func(name string) bool {
		return slices.Contains([]string{".elf", ".hex", ".ihex", ".srec", ".s19", ".star", ".exe", ".out", ""}, filepath.Ext(name))
	})
	if begun == "" {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return list, directive
}

// arguments is what commands take that can be completed, place by place; the last one stands for those behind it, too.
var arguments = map[string][]cobra.CompletionFunc{
	"run": {completeFirmware, noMore}, "mine": {completeFirmware}, "check": {completeFirmware, noMore}, "fuzz": {completeFirmware, noMore}, "symbolic": {completeFirmware, noMore},
	"model mine": {completeFirmware, noMore}, "model verify": {completeFirmware, noMore},
	"trace pull": {completeFirmware, noMore}, "trace replay": {anyFile, completeFirmware, noMore},
	"trace component": {completeKernel, anyFolder, noMore},
	"findings list":   {noMore}, "findings show": {completeKey, noMore}, "findings dismiss": {completeKey, noMore}, "findings export": {noMore},
	"demo": {noMore}, "version": {noMore},
}

func noMore(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func anyFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func anyFolder(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func completeKernel(_ *cobra.Command, _ []string, begun string) (list []string, d cobra.ShellCompDirective) {
	for _, k := range job.TraceKernels() {
		if strings.HasPrefix(k, begun) {
			list = append(list, k)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeArguments makes the arguments of a command complete in the shell.
func completeArguments(cmd *cobra.Command) {
	if all := arguments[commandName(cmd)]; all != nil {
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return all[min(len(args), len(all)-1)](cmd, args, begun)
		}
	}
}

// choices is what to choose from.
func choices(list []string) string {
	if len(list) == 2 {
		return phrase.OneOf(list)
	}
	return "one of " + strings.Join(list, ", ")
}

// checkValues refuses values that are not in the closed set of a flag.
func checkValues(cmd *cobra.Command) (wrong error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		row, _ := rowOf(commandName(cmd), f.Name)
		if row == nil || !row.values.closed || wrong != nil {
			return
		}
		given := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			given = many.GetSlice()
		}
		all := row.values.words(cmd)
		for _, v := range given {
			if !slices.ContainsFunc(all, func(w string) bool { return strings.EqualFold(w, v) }) && wrong == nil {
				wrong = fmt.Errorf("--%s %s: choose %s%s", f.Name, v, choices(all), phrase.DidYouMean(v, all))
			}
		}
	})
	return wrong
}
