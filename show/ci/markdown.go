package ci

import (
	"fmt"
	"io"
	"strings"

	"motehound/job/findings"
	"motehound/job/phrase"
)

// writeMarkdown writes a table of findings, what is new first, for the page of a job.
func writeMarkdown(to io.Writer, r *Report) error {
	list := r.shown()
	fresh, known, dismissed, hints := 0, 0, 0, 0
	for _, s := range list {
		switch {
		case s.fresh:
			fresh++
		case s.known:
			known++
		case s.State == findings.Dismissed:
			dismissed++
		default:
			hints++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## Motehound: %s\n\n", phrase.Counted(fresh, "new finding"))
	fmt.Fprintf(&b, "%d known, %d dismissed, %s.\n", known, dismissed, phrase.Counted(hints, "hint"))
	if len(list) > 0 {
		b.WriteString("\n| | finding | where | severity | seen by | key |\n|---|---|---|---|---|---|\n")
	}
	for _, want := range []bool{true, false} {
		for _, s := range list {
			if s.fresh == want {
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", s.mark(), plain(s.Title), plain(placeText(s)), plain(string(s.Severity)), plain(strings.Join(s.Engines, ", ")), plain(s.Key))
			}
		}
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// mark is why a finding stands where it stands.
func (s standing) mark() string {
	switch {
	case s.fresh && s.State == findings.CameBack:
		return "**came back**"
	case s.fresh:
		return "**new**"
	case s.known:
		return "known"
	case s.State == findings.Dismissed:
		return "dismissed: " + plain(s.Reason)
	}
	return plain(string(s.Grade))
}

// plain is a text in which nothing is markup: neither Markdown's nor HTML's.
func plain(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029:
			b.WriteByte(' ')
		case c < 0x80 && !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') && !strings.ContainsRune(" .,:;/()'", c):
			fmt.Fprintf(&b, "&#%d;", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
