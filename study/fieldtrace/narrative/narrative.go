// Package narrative turns a trace into something readable: with the map of the firmware, records become procedures and source lines,
// lifecycle items, and counts.
//
// Invariants: it adds nothing to the log and the map; procedures that are not in the map keep their numbers; missing parts of the log
// are passed on where they are missing.
package narrative

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"motehound/firmware/pathtrace/instrument"
	"motehound/study/fieldtrace/record"
)

// Teller reads records with a map.
type Teller struct {
	m     *instrument.Map // nil if there is none
	lines map[key]string
	known map[uint16]role
}

type key struct{ proc, path uint16 }

// New makes a Teller. Without a map, procedures have numbers only.
func New(m *instrument.Map) *Teller { return &Teller{m: m, lines: map[key]string{}} }

// Proc is the map's procedure, or nil.
func (t *Teller) Proc(id uint16) *instrument.Proc {
	if t.m == nil {
		return nil
	}
	return t.m.Proc(int(id))
}

// Name is a procedure's name.
func (t *Teller) Name(id uint16) string {
	if p := t.Proc(id); p != nil {
		return p.Name
	}
	return fmt.Sprintf("procedure %d", id)
}

// Find is the number of a procedure of that name.
func (t *Teller) Find(name string) (uint16, error) {
	if t.m == nil {
		return 0, fmt.Errorf("%s: to know procedures by name, give their map with --trace-map", name)
	}
	for i := range t.m.Procs {
		if t.m.Procs[i].Name == name {
			return uint16(t.m.Procs[i].ID), nil
		}
	}
	var names []string
	for i := range t.m.Procs {
		names = append(names, t.m.Procs[i].Name)
	}
	return 0, fmt.Errorf("%s is not traced; these are: %s", name, strings.Join(names, ", "))
}

// Lines is where a path leads through the source, as surge.c:50-52,57; or why that is not known.
func (t *Teller) Lines(proc, number uint16) string {
	k := key{proc, number}
	text, ok := t.lines[k]
	if !ok {
		text = t.describe(proc, number)
		t.lines[k] = text
	}
	return text
}

func (t *Teller) describe(proc, number uint16) string {
	p := t.Proc(proc)
	if p == nil {
		return ""
	}
	way, err := p.Decode(int(number))
	if err != nil {
		return fmt.Sprintf("no such path (%v): is this the map of this firmware?", err)
	}
	var out []string
	file, first, last := -1, 0, 0
	flush := func() {
		if file < 0 {
			return
		}
		span := fmt.Sprint(first)
		if last > first {
			span += fmt.Sprintf("-%d", last)
		}
		out = append(out, span)
	}
	for _, b := range way.Blocks {
		for _, l := range p.Blocks[b].Lines {
			switch {
			case l[0] == file && l[1] == last:
			case l[0] == file && l[1] == last+1:
				last++
			default:
				changed := l[0] != file
				flush()
				file, first, last = l[0], l[1], l[1]
				if changed {
					out = append(out, "\x00"+path.Base(p.Files[file])+":")
				}
			}
		}
	}
	flush()
	return join(out)
}

// join puts files and spans together: a file's spans follow it.
func join(parts []string) string {
	var b strings.Builder
	after := false
	for _, p := range parts {
		if name, ok := strings.CutPrefix(p, "\x00"); ok {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(name)
			after = false
			continue
		}
		if after {
			b.WriteByte(',')
		}
		b.WriteString(p)
		after = true
	}
	return b.String()
}

// Counts is what a log holds.
type Counts struct {
	Pages, Bytes int
	Boots        int
	Elements     uint64
	Events       uint64 // that happened, as far as the log has them
	Lost         uint64 // that the log says are missing; at least
	Gaps         int
	Faults       int
	Raw          uint64 // bytes, as the paper's tracer writes them without compression
	Seconds      float64
	Procs        []ProcCount // the busiest first
}

// ProcCount is how often a procedure ran.
type ProcCount struct {
	Proc   uint16
	Name   string
	Calls  uint64
	Rounds uint64 // of its loops
	Paths  map[uint16]uint64
}

// Count counts.
func (t *Teller) Count(l *record.Log) *Counts {
	c := &Counts{Pages: len(l.Pages)}
	for _, p := range l.Pages {
		c.Bytes += p.Chunks * l.Layout.Chunk
	}
	procs := map[uint16]*ProcCount{}
	var times span
	for at, e := range l.Elements() {
		times.add(l, at, c)
		c.Elements++
		switch {
		case e.Kind == record.Reset:
			c.Boots++
		case e.Kind == record.Fault:
			c.Faults++
		case e.Kind.Gap():
			c.Gaps++
			if e.Kind == record.Lost {
				c.Lost += uint64(e.Count)
			}
		case e.Kind <= record.Call:
			t.count(c, procs, e)
		}
	}
	for _, p := range procs {
		c.Procs = append(c.Procs, *p)
	}
	slices.SortFunc(c.Procs, func(a, b ProcCount) int {
		if a.Calls != b.Calls {
			return int(min(max(int64(b.Calls)-int64(a.Calls), -1), 1))
		}
		return int(a.Proc) - int(b.Proc)
	})
	return c
}

func (t *Teller) count(c *Counts, procs map[uint16]*ProcCount, e record.Element) {
	p := procs[e.Proc]
	if p == nil {
		p = &ProcCount{Proc: e.Proc, Name: t.Name(e.Proc), Paths: map[uint16]uint64{}}
		procs[e.Proc] = p
	}
	n := uint64(e.Count)
	wide := uint64(0)
	if m := t.Proc(e.Proc); m != nil && m.Bits == 16 || m == nil && e.Path > 255 {
		wide = 1
	}
	switch e.Kind {
	case record.Enter:
		c.Events, c.Raw = c.Events+n, c.Raw+n
		return
	case record.Path:
		p.Rounds += n
		c.Events, c.Raw = c.Events+n, c.Raw+n*(2+wide)
	case record.Leave:
		p.Calls += n
		c.Events, c.Raw = c.Events+n, c.Raw+n*(2+wide)
	case record.Call:
		p.Calls += n
		c.Events, c.Raw = c.Events+2*n, c.Raw+n*(3+wide)
	}
	p.Paths[e.Path] += n
}

// span adds up the time that a log covers: of each boot from its first to its last moment. A page that was made of what a reset left in
// memory does not know the time and says 0, so it can seem to go back.
type span struct {
	started bool
	boot    uint16
	last    uint32
}

func (s *span) add(l *record.Log, at record.At, c *Counts) {
	if !s.started || s.boot != at.Boot {
		*s = span{started: true, boot: at.Boot, last: at.Ticks}
	}
	if at.Ticks > s.last {
		c.Seconds += float64(at.Ticks-s.last) / float64(max(l.Clock, 1))
		s.last = at.Ticks
	}
}
