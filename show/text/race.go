package text

import (
	"fmt"
	"strings"

	"motehound/firmware/image"
	"motehound/job/document"
	"motehound/job/phrase"
)

// Race says what more is known of a race: what becomes of the wrong value, and how to repair it.
func Race(r *document.Race) []string {
	lines := []string{used(r)}
	if len(r.Sections) == 0 {
		return append(lines, "no atomic section was found that helps: "+r.Proof.Why)
	}
	var parts []string
	for i := range r.Sections {
		parts = append(parts, section(&r.Sections[i]))
	}
	lines = append(lines, "make atomic: "+strings.Join(parts, "; and "))
	if p := &r.Proof; p.Proven {
		from := "from the start"
		if p.After > 0 {
			from = fmt.Sprintf("from event %d on", p.After)
		}
		return append(lines, fmt.Sprintf("proven: then no order of up to %s %s has the race (%s tried), and no interrupt waits longer than %s for it",
			phrase.Counted(p.Depth, "event"), from, phrase.Grouped(p.Events), phrase.Counted(int(p.Waits), "cycle")))
	}
	return append(lines, "not proven: "+r.Proof.Why)
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
	case "":
		return "whether the wrong value is used is not known"
	}
	return fmt.Sprintf("the wrong value is not used within %s: nothing reads %s, except to change it", phrase.Counted(u.Events, "event"), r.Wrong)
}
