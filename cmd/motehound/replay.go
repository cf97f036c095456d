package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/observe/outputs"
	"motehound/show/live"
	"motehound/world/recipe"
)

// replayDocument is a run's document and whether it was the same run.
type replayDocument struct {
	Same     bool   `json:"same"`
	Expected string `json:"expected_hash"`
	*document.Run
}

func replayCommand() *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "replay [flags] RECIPE|BUNDLE",
		Short: "Make a run again from its recipe, and prove that it is the same",
		Long: `Makes a run again from the recipe that run --out DIR has kept, without the host that took part in it, and compares the
hash of the final state. The recipe of a finding of check is told as a chart, and that of symbolic with its inputs and choices; of both it
is proven that the same goes wrong again. A bundle (--bundle) has the recipe and the files that it names. Exit status 0 means that
the run is the same; a recipe that does not do what it says is refused, with status 2 and what differs.`,
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
		return fmt.Errorf("%s has no hash of a final state to compare with: it is not the recipe of a finished run", path)
	}
	for _, m := range rec.Motes {
		if m.SHA256 == "" {
			return fmt.Errorf("%s has no hash of the firmware of mote %d: nothing can be proven", path, m.ID)
		}
	}
	if rec.Explored != nil {
		return replayExplored(ctx, path, rec, json)
	}
	if rec.Symbolic != nil {
		return replaySymbolic(ctx, path, rec, json)
	}
	w, err := rec.World(job.OpenFirmware)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	term := newTerminal(json, false, nil)
	recorder := outputs.Record(w)
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
	doc := replayDocument{rec.Hash == expected, expected, document.RunOf(w, recorder, rec, took)}
	if json {
		err = document.Write(stdout, doc)
	} else {
		s := summary{to: term.text, doc: doc.Run, ran: job.RanOf(w, recorder, doc.Run, took)}
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
