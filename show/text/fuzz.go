package text

import (
	"fmt"
	"io"
	"strings"

	"motehound/job"
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
	fmt.Fprintf(to, "tried: %s inputs in %.1f s (%s/s), %s events, %s walks; from %s and %s of the code\n", phrase.Grouped(d.Inputs), d.TimeS,
		phrase.Grouped(uint64(d.PerSecond)), phrase.Grouped(r.Stats.Events), phrase.Grouped(r.Stats.Walks), phrase.Counted(d.Seeds, "message"), phrase.Counted(d.Words, "word"))
	if d.Stopped && !kept {
		longer(to, d.TimeS)
	}
}
