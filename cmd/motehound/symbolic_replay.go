package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/symbolic/plan"
	"motehound/study/verdict"
	"motehound/world/recipe"
)

// againDocument is what replay prints of a recipe that symbolic has made.
type againDocument struct {
	Same     bool             `json:"same"` // the final state is the same, and the violation, if it can be seen
	Expected string           `json:"expected_hash"`
	Hash     string           `json:"hash"`
	Seen     bool             `json:"violation_seen"`
	Differs  []string         `json:"differs"` // what is not as the recipe says
	Finding  *recipe.Symbolic `json:"finding"`
}

// replaySymbolic makes the run of a finding again, and looks whether the same goes wrong.
func replaySymbolic(ctx context.Context, path string, rec *recipe.Recipe, json bool) error {
	w, err := rec.World(job.OpenFirmware)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	sc, err := scenarioOf(rec)
	if err != nil {
		return fmt.Errorf("%s: nothing is proven: %w", path, err)
	}
	term := newTerminal(json, false, nil)
	expected := rec.Hash
	term.doing("replaying %s of the motes' time", phrase.Seconds(rec.Until))
	differs, err := plan.Rerun(w, rec, sc, func() bool { return ctx.Err() != nil })
	term.clear()
	if errors.Is(err, verdict.ErrInterrupted) {
		return unfinished(term)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	rec.Finish(w)
	doc := againDocument{Same: rec.Hash == expected && len(differs) == 0, Expected: expected, Hash: rec.Hash, Seen: len(differs) == 0,
		Differs: some(differs), Finding: rec.Symbolic}
	if json {
		err = document.Write(stdout, doc)
	} else {
		printAgain(term, rec, doc)
	}
	if err == nil && !doc.Same {
		return notShown(path, differs)
	}
	return err
}

func printAgain(term *terminal, rec *recipe.Recipe, doc againDocument) {
	to, x := term.text, rec.Symbolic
	fmt.Fprint(to, x.Property)
	if x.Mote >= 0 {
		fmt.Fprintf(to, ", mote %d", rec.Motes[x.Mote].ID)
	}
	fmt.Fprintf(to, ", at %s\n", phrase.Seconds(x.At))
	if x.Detail != "" && x.Detail != x.Property {
		fmt.Fprintf(to, "   %s\n", x.Detail)
	}
	for _, text := range x.Inputs {
		fmt.Fprintf(to, "   input: %s\n", text)
	}
	for _, a := range rec.Answers {
		if a.Mote >= 0 && a.Mote < len(rec.Motes) { // others are never asked for
			fmt.Fprintf(to, "   choice: %s %d of mote %d is %d\n", a.Kind, a.Number, rec.Motes[a.Mote].ID, a.Answer)
		}
	}
	switch {
	case doc.Same:
		fmt.Fprintf(to, "the same run: it ends in state %s again, and breaks the property\n", doc.Hash)
	case !doc.Seen:
		fmt.Fprintf(to, "NOT the same: %s\n", strings.Join(doc.Differs, "; "))
	default:
		fmt.Fprintf(to, "NOT the same run: it ends in state %s, but the recipe says %s.\n"+
			"The recipe was edited, or made by another version of Motehound.\n", doc.Hash, doc.Expected)
	}
}
