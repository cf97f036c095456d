package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/export"
	"motehound/show/text"
)

func replayCommand() *cobra.Command {
	var json bool
	var asked job.Replay
	var files export.Files
	var gdb gdbFlags
	cmd := &cobra.Command{
		Use:   "replay [flags] RECIPE|BUNDLE",
		Short: "Repeat a run from its recipe, and prove that it is the same",
		Long: `Repeats a run from the recipe that --out DIR has kept, without the host that took part in it, and compares the hash of the final
state. For a finding of check it also shows the trace as a chart; for one of symbolic, its inputs and choices. For both it proves
that the same property fails again. The built-in checks watch an ordinary run again. A bundle (--bundle) contains the recipe and the files it names.

Exit status: 0 the run is the same, 2 it is not, with what differs.`,
		Args: exactlyOne("recipe", "DIR/recipe.json"),
		RunE: func(cmd *cobra.Command, args []string) error {
			asked.Recipe = args[0]
			return replay(cmd.Context(), asked, files, gdb, json)
		},
	}
	registerGuard(cmd.Flags(), &asked.Guard)
	cmd.Flags().BoolVar(&asked.Energy, "energy", false, about("energy"))
	registerExports(cmd.Flags(), &files)
	cmd.Flags().StringArrayVar(&asked.Vars, "var", nil, about("var"))
	gdb.register(cmd.Flags())
	cmd.Flags().BoolVar(&json, "json", false, about("json"))
	return cmd
}

func replay(ctx context.Context, asked job.Replay, files export.Files, gdb gdbFlags, json bool) error {
	term := newTerminal(json, false, nil)
	host := term.host()
	files.Vars = asked.Vars
	if files.Asked() {
		host.Attach = files.Attach
	}
	gdb.attach(&host, term)
	again, err := asked.Do(ctx, host)
	if err != nil {
		return err
	}
	if again.Explored != nil {
		draw := func(to io.Writer) error {
			return export.Chart(to, files.Chart, text.ChartOf(&again.Explored.Finding.Story))
		}
		if err := job.WriteFile("--chart", files.Chart, draw); err != nil {
			return err
		}
	}
	switch {
	case json:
		if err := document.Write(stdout, again.Document()); err != nil {
			return err
		}
	case again.Run == nil:
		text.Replayed(term.text, again)
	default:
		s := summary{to: term.text, doc: again.Run.Run, ran: again.Ran}
		s.print()
		if again.Run.Same {
			s.printf("\nthe same run: its final state is %s again\n", again.Run.Hash)
		} else {
			s.printf("\nNOT the same run: its final state is %s,\nbut the recipe says            %s.\n"+
				"The recipe was edited, or made by another version of Motehound.\n", again.Run.Hash, again.Run.Expected)
		}
	}
	return again.Refused()
}
