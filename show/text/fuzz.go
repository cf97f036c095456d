package text

import (
	"fmt"
	"io"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
)

// Fuzz prints what fuzz found, with whole traces or their ends.
func Fuzz(to io.Writer, c *job.Fuzzed, full, kept bool) {
	d, r := c.Document, c.Report
	for n, x := range d.Findings {
		Finding(to, n+1, x, full)
	}
	fmt.Fprintf(to, "%s\n", checkVerdict(r, &d.Checked, c.Faults))
	if len(d.Listens) > 0 {
		fmt.Fprintf(to, "listens: %s\n", strings.Join(d.Listens, "; "))
	}
	fmt.Fprintf(to, "tried: %s\n", FuzzTried(d))
	fmt.Fprintf(to, "reached: %s", FuzzReached(d))
	const most = 12
	if n := len(d.Unreached); n > 0 {
		fmt.Fprintf(to, "; %s never:\n", phrase.Counted(n, "function"))
		for _, name := range d.Unreached[:min(n, most)] {
			fmt.Fprintf(to, "  %s\n", name)
		}
		if n > most {
			fmt.Fprintf(to, "  and %d more: --json lists all\n", n-most)
		}
	} else {
		fmt.Fprintln(to)
	}
	if d.Stopped && !kept {
		longer(to, d.TimeS)
	}
}

// FuzzTried says how much was made up.
func FuzzTried(d *document.Fuzzed) string {
	return fmt.Sprintf("%s inputs in %.1f s (%s/s), %s events, %s walks; from %s and %s of the code", phrase.Grouped(d.Inputs), d.TimeS, phrase.Grouped(uint64(d.PerSecond)),
		phrase.Grouped(d.Explored.Events), phrase.Grouped(d.Explored.Walks), phrase.Counted(d.Seeds, "message"), phrase.Counted(d.Words, "word"))
}

// FuzzReached says how much of the code ran.
func FuzzReached(d *document.Fuzzed) string {
	reached, blocks := 0, 0
	for _, b := range d.Blocks {
		reached, blocks = reached+b.Reached, blocks+b.Blocks
	}
	return fmt.Sprintf("%s of %s blocks of code", phrase.Grouped(uint64(reached)), phrase.Grouped(uint64(blocks)))
}
