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
	cmd := &cobra.Command{
		Use:   "findings",
		Short: "List, dismiss and export what hunts have found",
		Long: `Hunts keep their findings in the folder .motehound of your project. A finding has a key that names its cause, and keeps it when you build the
firmware again. It is new, then confirmed when a later hunt sees it again, fixed when it is gone from a later build, and came back if it is there again after that; or
somebody has dismissed it.`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(findingsListCommand(), findingsShowCommand(), findingsDismissCommand(), findingsExportCommand())
	return cmd
}

// inStore does something with the store, and says what was damaged in it.
func inStore(folder string, do func(*findings.Store) error) error {
	s, err := findings.Open(folder)
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

func registerStore(fl *pflag.FlagSet, folder *string) {
	fl.SortFlags = false
	fl.StringVar(folder, "store", findings.Folder, about("store"))
}

// states is what --state takes.
func states(*cobra.Command) []string {
	return []string{"open", "all", string(findings.New), string(findings.Confirmed), string(findings.CameBack), string(findings.Fixed), string(findings.Dismissed)}
}

func findingsListCommand() *cobra.Command {
	var folder, state string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [flags]",
		Short: "List findings, the worst first",
		Long:  `Lists the findings that somebody has to look at, or those in another state. Exit status: 0, whatever there is.`,
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return inStore(folder, func(s *findings.Store) error {
				all := s.All()
				list := slices.DeleteFunc(slices.Clone(all), func(f findings.Finding) bool {
					return state != "all" && state != string(f.State) && (state != "open" || !f.State.Open())
				})
				if asJSON {
					return document.Write(stdout, ci.Listed{Findings: append([]findings.Finding{}, list...)})
				}
				text.FindingsList(stdout, list)
				text.FindingsCount(stdout, all)
				return nil
			})
		},
	}
	fl := cmd.Flags()
	registerStore(fl, &folder)
	fl.StringVar(&state, "state", "open", "only findings in this `state`")
	fl.BoolVar(&asJSON, "json", false, about("json"))
	return cmd
}

func findingsShowCommand() *cobra.Command {
	var folder string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show [flags] KEY",
		Short: "Show all that is known about a finding",
		Long:  `Shows a finding: what happens and where, who saw it when, and how to see it again. The first digits of the key are enough.`,
		Args:  exactlyOne("key", "1a2b3c"),
		RunE: func(_ *cobra.Command, args []string) error {
			return inStore(folder, func(s *findings.Store) error {
				list, err := s.Find(args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return document.Write(stdout, ci.Listed{Findings: list})
				}
				for i := range list {
					text.KeptFinding(stdout, &list[i], s.Path)
				}
				return nil
			})
		},
	}
	fl := cmd.Flags()
	registerStore(fl, &folder)
	fl.BoolVar(&asJSON, "json", false, about("json"))
	return cmd
}

func findingsDismissCommand() *cobra.Command {
	var folder, reason string
	var undo, asJSON bool
	cmd := &cobra.Command{
		Use:   "dismiss [flags] KEY",
		Short: "Note why a finding does not matter",
		Long:  `Notes why a finding does not matter. Later hunts that see it do not fail because of it. --undo takes that back.`,
		Args:  exactlyOne("key", "1a2b3c"),
		RunE: func(_ *cobra.Command, args []string) error {
			return inStore(folder, func(s *findings.Store) (err error) {
				var list []findings.Finding
				if undo {
					list, err = s.Reopen(args[0])
				} else {
					list, err = s.Dismiss(args[0], strings.TrimSpace(reason))
				}
				if err != nil {
					return err
				}
				if asJSON {
					return document.Write(stdout, ci.Listed{Findings: list})
				}
				text.FindingsList(stdout, list)
				return nil
			})
		},
	}
	fl := cmd.Flags()
	registerStore(fl, &folder)
	fl.StringVar(&reason, "reason", "", "why it does not matter")
	fl.BoolVar(&undo, "undo", false, "take a dismissal back")
	fl.BoolVar(&asJSON, "json", false, about("json"))
	return cmd
}

func formats(*cobra.Command) []string { return ci.Names() }

func findingsExportCommand() *cobra.Command {
	var folder, format, output, baseline string
	long := "Writes findings for other programs:\n\n"
	for _, f := range ci.Formats {
		long += fmt.Sprintf("  %-10s%s\n", f.Name, f.About)
	}
	cmd := &cobra.Command{
		Use:   "export [flags]",
		Short: "Write findings for CI: SARIF, JUnit XML and others",
		Long:  long + "\nWith --baseline, what was known before is marked as such.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			f, err := ci.Find(strings.ToLower(format))
			if err != nil {
				return err
			}
			r := ci.Report{Version: version()}
			if r.Baseline, err = job.ReadBaseline(baseline); err != nil {
				return err
			}
			return inStore(folder, func(s *findings.Store) error {
				r.Findings = s.All()
				if output == "" {
					return f.Write(stdout, &r)
				}
				return job.WriteFile("--output", output, func(to io.Writer) error { return f.Write(to, &r) })
			})
		},
	}
	fl := cmd.Flags()
	registerStore(fl, &folder)
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
