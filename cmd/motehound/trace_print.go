package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/record"
	"motehound/study/verdict"
)

// tracePrinter shows a log, one line for each element.
type tracePrinter struct {
	log    *record.Log
	teller *narrative.Teller
	want   func(proc uint16) bool
	boots  func(boot uint16) bool
	gaps   int
	depth  int
	cut    bool // the user did not wait for the rest
}

// traceLine is one line of a log.
type traceLine struct {
	Time  float64 `json:"time_s"`
	Boot  uint16  `json:"boot"`
	Kind  string  `json:"kind"`
	Proc  *uint16 `json:"proc,omitempty"`
	Name  string  `json:"name,omitempty"`
	Path  *uint16 `json:"path,omitempty"`
	Lines string  `json:"lines,omitempty"`
	Count uint32  `json:"count"`
	Depth int     `json:"depth"`
	Arg   *uint8  `json:"arg,omitempty"`

	at      record.At
	element record.Element
}

// each gives the lines that are to be shown, the last ones only if last is not 0.
func (p *tracePrinter) each(ctx context.Context, last int, give func(traceLine) error) error {
	var ring []traceLine
	n := 0
	for at, e := range p.log.Elements() {
		if n++; n%4096 == 0 && ctx.Err() != nil {
			p.cut = true
			break
		}
		line, ok := p.line(at, e)
		if !ok {
			continue
		}
		if last == 0 {
			if err := give(line); err != nil {
				return err
			}
			continue
		}
		if ring = append(ring, line); len(ring) >= 2*last {
			ring = append(ring[:0], ring[len(ring)-last:]...)
		}
	}
	if len(ring) > last {
		ring = ring[len(ring)-last:]
	}
	for _, line := range ring {
		if err := give(line); err != nil {
			return err
		}
	}
	return nil
}

// line is an element as it is shown, if it is.
func (p *tracePrinter) line(at record.At, e record.Element) (traceLine, bool) {
	if e.Kind.Gap() {
		p.gaps++
	}
	if e.Kind.Gap() || e.Kind == record.Reset {
		p.depth = 0
	}
	if e.Kind == record.Leave {
		p.depth = max(p.depth-int(min(e.Count, 1000)), 0)
	}
	line := traceLine{Time: float64(at.Ticks) / float64(max(p.log.Clock, 1)), Boot: at.Boot, Kind: e.Kind.String(), Count: e.Count, Depth: p.depth}
	shown := p.boots(at.Boot) && e.Kind != record.Time
	if e.Kind <= record.Call {
		shown = shown && p.want(e.Proc)
		line.Proc, line.Name = &e.Proc, p.teller.Name(e.Proc)
		if e.Kind != record.Enter {
			line.Path, line.Lines = &e.Path, p.teller.Lines(e.Proc, e.Path)
		}
	}
	if e.Kind == record.Reset || e.Kind == record.Fault {
		line.Arg = &e.Arg
	}
	if e.Kind == record.Enter {
		p.depth += int(e.Count)
	}
	line.at, line.element = at, e
	return line, shown
}

// text is a line for people.
func (p *tracePrinter) text(line traceLine) string {
	at, e := line.at, line.element
	start := fmt.Sprintf("%10s  %s", job.LogTime(p.log, at), strings.Repeat("  ", min(line.Depth, 40)))
	times := ""
	if e.Count > 1 {
		times = fmt.Sprintf("  x %d", e.Count)
	}
	path := ""
	if line.Path != nil {
		path = fmt.Sprintf(" path %d", e.Path)
		if line.Lines != "" {
			path += "  " + line.Lines
		}
	}
	switch e.Kind {
	case record.Enter:
		return start + line.Name + " {" + times
	case record.Path:
		return start + line.Name + " ..." + path + times
	case record.Leave:
		return start + "} " + line.Name + path + times
	case record.Call:
		return start + line.Name + path + times
	case record.Lost:
		return start + fmt.Sprintf("-- %d events lost: the mote had no room for them", e.Count)
	case record.Missing:
		return start + fmt.Sprintf("-- %d pages are not there", e.Count)
	case record.Torn:
		return start + "-- the rest of this page could not be read"
	case record.Broken:
		return start + "-- from here on this page holds what no tracer writes"
	case record.Endless:
		return start + fmt.Sprintf("-- this log stands for more than %s events, so it is damaged or made up: the rest is left out", phrase.Grouped(record.Most))
	case record.Fault:
		return start + fmt.Sprintf("-- fault, reason %d", e.Arg)
	case record.Reset:
		text := fmt.Sprintf("-- boot %d, reset flags %02x", at.Boot, e.Arg)
		if e.Uncertain {
			text += "; the last event before it may be missing, or there twice"
		}
		return start + text
	}
	return start + line.Kind
}

func (p *tracePrinter) writeText(ctx context.Context, w io.Writer, last int) error {
	out := bufio.NewWriter(w)
	err := p.each(ctx, last, func(line traceLine) error {
		_, err := fmt.Fprintln(out, p.text(line))
		return err
	})
	if err != nil {
		return err
	}
	if p.cut {
		fmt.Fprintf(out, "-- %s\n", verdict.Interrupted)
	}
	return out.Flush()
}

// writeJSON writes one document, piece by piece: a log can stand for more than fits into memory.
func (p *tracePrinter) writeJSON(ctx context.Context, w io.Writer, last int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `{%s, "pages": %d, "unread": %d, "clock_hz": %d, "trace": [`, document.SchemaField, len(p.log.Pages), p.log.Unread, p.log.Clock)
	separator := "\n  "
	err := p.each(ctx, last, func(line traceLine) error {
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		out.WriteString(separator)
		separator = ",\n  "
		_, err = out.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	leftOut := []string{}
	if p.cut {
		leftOut = append(leftOut, verdict.Interrupted)
	}
	text, err := json.Marshal(leftOut)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n], \"gaps\": %d, \"left_out\": %s}\n", p.gaps, text)
	return out.Flush()
}
