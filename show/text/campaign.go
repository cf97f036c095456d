package text

import (
	"fmt"
	"io"
	"strings"

	"motehound/job/document"
	"motehound/job/phrase"
)

// Campaign prints the result of a campaign.
func Campaign(to io.Writer, d *document.Campaign) {
	n := 0
	for i := range d.Strands {
		s := &d.Strands[i]
		for _, x := range s.Findings {
			n++
			Finding(to, n, x, false)
		}
		if s.Explored != nil {
			fmt.Fprintf(to, "%s: %s events; %s states; %s walks\n", s.Job, phrase.Grouped(s.Explored.Events), phrase.Grouped(s.Explored.States), phrase.Grouped(s.Explored.Walks))
		} else {
			fmt.Fprintf(to, "%s: %s\n", strings.TrimSpace(s.Job+" "+s.Label), s.Verdict)
		}
	}
	for _, f := range d.Failed {
		fmt.Fprintf(to, "item %s could not be done: %s\n", f.Item, f.Why)
	}
	fmt.Fprintf(to, "%s: %s items, campaign %s\n", strings.ToUpper(string(d.Verdict)), phrase.Grouped(uint64(d.Items)), d.Campaign)
	if d.Verdict != document.Violated {
		for _, x := range d.LeftOut {
			fmt.Fprintf(to, "  left out: %s\n", x)
		}
	}
}

// Campaigns lists campaigns, and who works.
func Campaigns(to io.Writer, d *document.CampaignList) {
	for _, c := range d.Campaigns {
		fmt.Fprintf(to, "%s  %-8s  %d of %d items done, %d being done, %d waiting, %d found  %s\n", c.Campaign, c.State, c.Done, c.Items, c.Working, c.Waiting, c.Findings, c.Title)
		for _, f := range c.Failed {
			fmt.Fprintf(to, "  item %s could not be done: %s\n", f.Item, f.Why)
		}
	}
	if len(d.Campaigns) == 0 {
		fmt.Fprintln(to, "There is no campaign: motehound campaign start begins one.")
	}
	for _, w := range d.Workers {
		at := "waits"
		if w.Item != "" {
			at = "does " + w.Item
		}
		fmt.Fprintf(to, "worker %s %s, %d done\n", w.Name, at, w.Done)
	}
}
