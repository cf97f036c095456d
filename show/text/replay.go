package text

import (
	"fmt"
	"io"
	"strings"

	"motehound/job"
	"motehound/job/phrase"
	"motehound/world/recipe"
)

// Replayed prints a finding that was made again.
func Replayed(to io.Writer, r *job.Replayed) {
	var same, seen bool
	var hash, expected string
	var differs []string
	if x := r.Explored; x != nil {
		Finding(to, 1, x.Finding, true)
		same, seen, hash, expected, differs = x.Same, x.Seen, x.Hash, x.Expected, x.Differs
	} else {
		x := r.Symbolic
		replayedInputs(to, r.Recipe)
		same, seen, hash, expected, differs = x.Same, x.Seen, x.Hash, x.Expected, x.Differs
	}
	switch {
	case same:
		fmt.Fprintf(to, "the same run: it ends in state %s again, and breaks the property\n", hash)
	case !seen:
		fmt.Fprintf(to, "NOT the same: %s\n", strings.Join(differs, "; "))
	default:
		fmt.Fprintf(to, "NOT the same run: it ends in state %s, but the recipe says %s.\n"+
			"The recipe was edited, or made by another version of Motehound.\n", hash, expected)
	}
}

func replayedInputs(to io.Writer, rec *recipe.Recipe) {
	x := rec.Symbolic
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
}
