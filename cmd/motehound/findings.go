package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
	"motehound/show/ci"
	"motehound/show/text"
)

func findingsCommand() *cobra.Command {
	return family(&cobra.Command{
		Use:   "findings",
		Short: "List, dismiss and export what hunts have found",
		Long: `Hunts keep their findings in the folder .motehound of your project. A finding has a key that names its cause, and keeps it when you build the
firmware again. It is new, then confirmed when a later hunt sees it again, fixed when it is gone from a later build, and came back if it is there again after that; or
somebody has dismissed it.`,
	}, findingsListCommand(), findingsShowCommand(), findingsDismissCommand(), findingsExportCommand())
}

// storeFlags are those of commands that print findings of a store.
type storeFlags struct {
	folder string
	json   bool
}

// register adds the flag that names the store, before others.
func (f *storeFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.StringVar(&f.folder, "store", findings.Folder, about("store"))
}

// in does something with the store, and says what was damaged in it.
func (f *storeFlags) in(do func(*findings.Store) error) error {
	s, err := findings.Open(f.folder)
	if err != nil {
		return err
	}
	if x := s.Salvaged(); x != nil {
		fmt.Fprintf(os.Stderr, "note: %v\n", x)
	}
	err = do(s)
	if closed := s.Close(); err == nil {
		err = closed
	}
	return err
}

// printing completes a command that prints what it finds in the store, as text or as a document.
func (f *storeFlags) printing(cmd *cobra.Command, find func(*findings.Store, []string) ([]findings.Finding, error), print func(*findings.Store, []findings.Finding)) *cobra.Command {
	cmd.Flags().BoolVar(&f.json, "json", false, about("json"))
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		return f.in(func(s *findings.Store) error {
			list, err := find(s, args)
			switch {
			case err != nil:
				return err
			case f.json:
				return document.Write(stdout, ci.Listed{Findings: append([]findings.Finding{}, list...)})
			}
			print(s, list)
			return nil
		})
	}
	return cmd
}

// states is what --state takes.
func states(*cobra.Command) []string {
	return []string{"open", "all", string(findings.New), string(findings.Confirmed), string(findings.CameBack), string(findings.Fixed), string(findings.Dismissed)}
}

func findingsListCommand() *cobra.Command {
	var f storeFlags
	var state string
	cmd := &cobra.Command{Use: "list [flags]", Short: "List findings, the worst first", Args: cobra.NoArgs,
		Long: `Lists the findings that somebody has to look at, or those in another state. Exit status: 0, whatever there is.`}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&state, "state", "open", "only findings in this `state`")
	return f.printing(cmd, func(s *findings.Store, _ []string) ([]findings.Finding, error) {
		return slices.DeleteFunc(s.All(), func(f findings.Finding) bool {
			return state != "all" && state != string(f.State) && (state != "open" || !f.State.Open())
		}), nil
	}, func(s *findings.Store, list []findings.Finding) {
		text.FindingsList(stdout, list)
		text.FindingsCount(stdout, s.All())
	})
}

func findingsShowCommand() *cobra.Command {
	var f storeFlags
	cmd := &cobra.Command{Use: "show [flags] KEY", Short: "Show all that is known about a finding", Args: exactlyOne("key", "1a2b3c"),
		Long: `Shows a finding: what happens and where, who saw it when, and how to see it again. The first digits of the key are enough.`}
	f.register(cmd.Flags())
	return f.printing(cmd, func(s *findings.Store, args []string) ([]findings.Finding, error) { return s.Find(args[0]) },
		func(s *findings.Store, list []findings.Finding) {
			for i := range list {
				text.KeptFinding(stdout, &list[i], s.Path)
			}
		})
}

func findingsDismissCommand() *cobra.Command {
	var f storeFlags
	var reason string
	var undo bool
	cmd := &cobra.Command{Use: "dismiss [flags] KEY", Short: "Note why a finding does not matter", Args: exactlyOne("key", "1a2b3c"),
		Long: `Notes why a finding does not matter. Later hunts that see it do not fail because of it. --undo takes that back.`}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&reason, "reason", "", "why it does not matter")
	cmd.Flags().BoolVar(&undo, "undo", false, "take a dismissal back")
	return f.printing(cmd, func(s *findings.Store, args []string) ([]findings.Finding, error) {
		if undo {
			return s.Reopen(args[0])
		}
		return s.Dismiss(args[0], strings.TrimSpace(reason))
	}, func(_ *findings.Store, list []findings.Finding) { text.FindingsList(stdout, list) })
}

func formats(*cobra.Command) []string { return ci.Names() }

func findingsExportCommand() *cobra.Command {
	var f storeFlags
	var format, output, baseline string
	long := "Writes findings for other programs:\n\n"
	for _, x := range ci.Formats {
		long += fmt.Sprintf("  %-10s%s\n", x.Name, x.About)
	}
	cmd := &cobra.Command{
		Use:   "export [flags]",
		Short: "Write findings for CI: SARIF, JUnit XML and others",
		Long:  long + "\nWith --baseline, what was known before is marked as such.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			as, err := ci.Find(strings.ToLower(format))
			if err != nil {
				return err
			}
			r := ci.Report{Version: version()}
			if r.Baseline, err = job.ReadBaseline(baseline); err != nil {
				return err
			}
			return f.in(func(s *findings.Store) error {
				r.Findings = s.All()
				if output == "" {
					return as.Write(stdout, &r)
				}
				return job.WriteFile("--output", output, func(to io.Writer) error { return as.Write(to, &r) })
			})
		},
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.StringVar(&format, "format", "sarif", "`format` to write")
	fl.StringVar(&baseline, "baseline", "", about("baseline"))
	fl.StringVarP(&output, "output", "o", "", about("output"))
	return cmd
}

// completeKey completes the keys of a store that is there.
func completeKey(cmd *cobra.Command, _ []string, begun string) (list []string, d cobra.ShellCompDirective) {
	d = cobra.ShellCompDirectiveNoFileComp
	s, err := findings.Open(cmd.Flag("store").Value.String())
	if err != nil {
		return nil, d
	}
	defer s.Close()
	for _, f := range s.All() {
		if strings.HasPrefix(f.Key, begun) {
			list = append(list, f.Key+"\t"+f.Title)
		}
	}
	return list, d
}
