package text

import (
	"fmt"
	"io"
	"strings"

	"motehound/firmware/image"
	"motehound/job/document"
	"motehound/job/phrase"
)

// race prints what more is known of a race.
func race(to io.Writer, r *document.Race) {
	fmt.Fprintf(to, "   %s\n", used(r))
	if len(r.Sections) == 0 {
		fmt.Fprintf(to, "   no atomic section was found that helps: %s\n", r.Proof.Why)
		return
	}
	var parts []string
	for i := range r.Sections {
		parts = append(parts, section(&r.Sections[i]))
	}
	fmt.Fprintf(to, "   make atomic: %s\n", strings.Join(parts, "; and "))
	if p := &r.Proof; p.Proven {
		from := "from the start"
		if p.After > 0 {
			from = fmt.Sprintf("from event %d on", p.After)
		}
		fmt.Fprintf(to, "   proven: then no order of up to %s %s has the race (%s tried), and no interrupt waits longer than %s for it\n",
			phrase.Counted(p.Depth, "event"), from, phrase.Grouped(p.Events), phrase.Counted(int(p.Waits), "cycle"))
	} else {
		fmt.Fprintf(to, "   not proven: %s\n", p.Why)
	}
}

// section says which lines a section has.
func section(x *document.AtomicSection) string {
	var b strings.Builder
	b.WriteString(x.From.String())
	if x.To.File != x.From.File || x.To.Line != x.From.Line {
		fmt.Fprintf(&b, " to %s", x.To)
	}
	if x.From.File != "" {
		fmt.Fprintf(&b, " (0x%04x to 0x%04x)", x.From.PC, x.To.PC)
	}
	if x.From.Function != "" {
		fmt.Fprintf(&b, " in %s", image.Readable(x.From.Function))
	}
	if x.Loops {
		b.WriteString(", with the whole loop if a loop does this")
	}
	if x.Across {
		b.WriteString(", with functions that it calls")
	}
	return b.String()
}

// used says what becomes of the wrong value.
func used(r *document.Race) string {
	u := &r.Used
	switch u.Fate {
	case "sent":
		return fmt.Sprintf("the wrong value was used at %s, where it is written to %s", u, r.Wrong)
	case "stored":
		return fmt.Sprintf("the wrong value was used at %s, where it is stored in %s", u, r.Wrong)
	case "read":
		return fmt.Sprintf("the wrong value is used at %s", u)
	case "overwritten":
		return fmt.Sprintf("the wrong value is not used: %s is written again first, at %s", r.Wrong, u)
	}
	return fmt.Sprintf("the wrong value is not used within %s: nothing reads %s, except to change it", phrase.Counted(u.Events, "event"), r.Wrong)
}
