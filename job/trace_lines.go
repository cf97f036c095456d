package job

import (
	"context"

	"motehound/job/document"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/record"
	"motehound/study/verdict"
)

// Decoding is a log that is read line by line.
type Decoding struct {
	Document document.Traced // without its lines; Gaps and LeftOut are known when all were given
	log      *record.Log
	teller   *narrative.Teller
	want     func(proc uint16) bool
	boots    func(boot uint16) bool
	last     int
	depth    int
}

// Each gives the lines that are to be shown, the last ones only if last is not 0.
func (p *Decoding) Each(ctx context.Context, give func(document.TraceLine) error) error {
	last := p.last
	var ring []document.TraceLine
	n := 0
	for at, e := range p.log.Elements() {
		if n++; n%4096 == 0 && ctx.Err() != nil {
			p.Document.LeftOut = append(p.Document.LeftOut, verdict.Interrupted)
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

// Files are the source files that a procedure's paths lead through, as its map has them.
func (p *Decoding) Files(proc uint16) []string {
	if x := p.teller.Proc(proc); x != nil {
		return x.Files
	}
	return nil
}

// line is an element as it is shown, if it is.
func (p *Decoding) line(at record.At, e record.Element) (document.TraceLine, bool) {
	if e.Kind.Gap() {
		p.Document.Gaps++
	}
	if e.Kind.Gap() || e.Kind == record.Reset {
		p.depth = 0
	}
	if e.Kind == record.Leave {
		p.depth = max(p.depth-int(min(e.Count, 1000)), 0)
	}
	line := document.TraceLine{Time: float64(at.Ticks) / float64(max(p.log.Clock, 1)), Boot: at.Boot, Kind: e.Kind.String(), Count: e.Count, Depth: p.depth}
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
	line.At, line.Element = at, e
	return line, shown
}
