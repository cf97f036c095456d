package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"motehound/show/live"
	"motehound/show/report"
	"motehound/world/recipe"
)

// replayDocument is a run's document and whether it was the same run.
type replayDocument struct {
	Same     bool   `json:"same"`
	Expected string `json:"expected_hash"`
	*report.Run
}

func replayCommand() *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "replay [flags] RECIPE|BUNDLE",
		Short: "Repeat a run from its recipe, and prove that it is the same",
		Long: `Repeats a run from the recipe that --out DIR has kept, without the host that took part in it, and compares the hash of the final
state. For a finding of check it also shows the trace as a chart; for one of symbolic, its inputs and choices. For both it proves
that the same property fails again. A bundle (--bundle) contains the recipe and the files it names.

Exit status: 0 the run is the same, 2 it is not, with what differs.`,
		Args: exactlyOne("recipe", "DIR/recipe.json"),
		RunE: func(cmd *cobra.Command, args []string) error { return replay(cmd.Context(), args[0], json) },
	}
	cmd.Flags().BoolVar(&json, "json", false, about("json"))
	return cmd
}

func replay(ctx context.Context, path string, json bool) error {
	rec, err := recipe.Read(path)
	if err != nil {
		return err
	}
	if rec.Hash == "" {
		return fmt.Errorf("%s has no hash of a final state: it is not the recipe of a finished run", path)
	}
	for _, m := range rec.Motes {
		if m.SHA256 == "" {
			return fmt.Errorf("%s has no hash of mote %d's firmware, so nothing can be proven", path, m.ID)
		}
	}
	if rec.Explored != nil {
		return replayExplored(ctx, path, rec, json)
	}
	if rec.Symbolic != nil {
		return replaySymbolic(ctx, path, rec, json)
	}
	w, err := rec.World(openFirmware)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	term := newTerminal(json, false, nil)
	recorder := report.Record(w)
	start := time.Now()
	session := &live.Session{World: w, Progress: term.progress(start, rec.Until)}
	expected, until := rec.Hash, rec.Until
	if err := session.Run(ctx, until); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return unfinished(term)
	}
	w.RunUntil(until) // it may have ended early, when no mote could go on
	took := time.Since(start)
	term.clear()

	rec.Finish(w)
	doc := replayDocument{rec.Hash == expected, expected, recorder.Run(rec, took)}
	if json {
		err = writeJSON(stdout, doc)
	} else {
		s := summary{to: term.text, doc: doc.Run, rec: recorder, world: w, took: took}
		s.print()
		if doc.Same {
			s.printf("\nthe same run: its final state is %s again\n", doc.Hash)
		} else {
			s.printf("\nNOT the same run: its final state is %s,\nbut the recipe says            %s.\n"+
				"The recipe was edited, or made by another version of Motehound.\n", doc.Hash, expected)
		}
	}
	if err != nil {
		return err
	}
	if !doc.Same {
		return notShown(path, nil)
	}
	return nil
}
