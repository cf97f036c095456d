package explore

import (
	"fmt"
	"time"

	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/mote"
	"motehound/mote/periph"
	"motehound/study/check"
	"motehound/world"
	"motehound/world/reception"
)

var fateNames = [...]string{reception.Lost: ", which is lost", reception.Corrupted: ", which is corrupted", reception.Duplicated: ", which arrives twice",
	reception.Reordered: ", which overtakes the one before"}

// fate says what becomes of a frame.
func fate(e check.Event) string {
	if int(e.Option) < len(fateNames) {
		return fateNames[e.Option]
	}
	return "?"
}

// Describe implements check.System.
func (s *System) Describe(e check.Event) string {
	if e.Mote < 0 || int(e.Mote) >= len(s.seats) {
		return fmt.Sprintf("%v %d", e.Class, e.Source)
	}
	return fmt.Sprintf("mote %d: %s", s.sh.cfg.Motes[e.Mote].ID, s.Title(e))
}

// Number implements check.Numbered: it is the node id.
func (s *System) Number(mote int16) int { return int(s.sh.cfg.Motes[mote].ID) }

// Title names an event without its mote.
func (s *System) Title(e check.Event) string {
	info := &s.sh.motes[e.Mote]
	if e.Intrudes() {
		return s.intrusion(e)
	}
	switch e.Class {
	case check.Interrupt:
		return s.vectorName(int(e.Mote), e.Source)
	case check.Task:
		switch e.Source {
		case timePasses:
			return "time passes"
		case booted:
			return "start of the program"
		case goesOn:
			if x := &s.seats[e.Mote]; x.rest != 0 && !x.mid {
				return "rest of the frame"
			}
			return "goes on"
		case check.Pause:
			return fmt.Sprintf("nothing happens for %v", time.Duration(e.Serial)*time.Microsecond)
		}
		if info.kind.profile.Kernel == kernel.None {
			return "main loop"
		}
		return "next task"
	case check.Frame:
		if e.Source >= wireSource {
			if reception.Fate(e.Option) != reception.Delivered {
				return fmt.Sprintf("frame on wire %d%s", e.Source-wireSource, fate(e))
			}
			return fmt.Sprintf("character on wire %d", e.Source-wireSource)
		}
		return fmt.Sprintf("frame from mote %d%s", s.sh.cfg.Motes[e.Source].ID, fate(e))
	case check.Fault:
		if int(e.Source) < len(s.sh.faults) {
			switch s.sh.faults[e.Source].Kind {
			case world.Outage:
				return "power fails"
			case world.LateBoot:
				return "boots late"
			case world.Busy:
				return "channel becomes busy"
			}
		}
		return "reboot"
	case check.Input:
		if e.Made() {
			return s.madeTitle(e)
		}
		switch e.Source {
		case scriptSource:
			return s.actTitle(int(e.Mote))
		case powerSource:
			return "power comes back"
		}
		return "serial byte"
	}
	return "?"
}

// actTitle names the next thing that happens to a mote from outside, while it can still come.
func (s *System) actTitle(i int) string {
	acts, n := s.sh.motes[i].acts, int(s.seats[i].acts)
	if n < len(acts) && acts[n].kind == world.HearFrame {
		return fmt.Sprintf("frame from outside % x", acts[n].frame)
	}
	if n >= len(acts) || acts[n].kind != world.SetPin || acts[n].reset {
		return "event of the scenario"
	}
	a := &acts[n]
	switch a.drive {
	case periph.DriveLow:
		return fmt.Sprintf("pin %s is made low", a.pin)
	case periph.DriveHigh:
		return fmt.Sprintf("pin %s is made high", a.pin)
	}
	return fmt.Sprintf("pin %s is let go", a.pin)
}

// vectorName names an interrupt.
func (s *System) vectorName(i int, vector uint16) string {
	if v := s.sh.motes[i].kind.kind.Board.Chip.Vectors; int(vector) < len(v) && v[vector] != "" {
		return "interrupt " + v[vector]
	}
	return fmt.Sprintf("interrupt %d", vector)
}

// intrusion names an interrupt in the middle of something, with its place while it can still come.
func (s *System) intrusion(e check.Event) string {
	natural := e
	natural.Option, natural.Serial = 0, 0
	what := s.Title(natural)
	if e.Class == check.Task && e.Source == goesOn {
		what = "what was interrupted"
	}
	p := s.point(int(e.Mote), e)
	if p == nil {
		return "interrupt in the middle of " + what
	}
	im := s.sh.motes[e.Mote].kind.kind.Image
	if f, _, _, ok := placeAt(im, 2*p.next); ok && f != "" {
		what = image.Readable(f)
	}
	while := ""
	if p.by == arrives {
		while = fmt.Sprintf("frame from mote %d begins to arrive, ", s.sh.cfg.Motes[p.from].ID)
	}
	return fmt.Sprintf("%s%s in the middle of %s, at %s%s", while, s.vectorName(int(e.Mote), uint16(p.vector)), what, lineOf(im, p.next), accessed(im, p.touch))
}

// Note is something that happened inside a transition.
type Note struct {
	Mote int
	Text string
}

// Narrate has Fire keep what happens, for Notes.
func (s *System) Narrate(on bool) error {
	b, err := s.wake()
	if err != nil {
		return err
	}
	b.notes = nil
	if on {
		b.notes = new([]Note)
	}
	return nil
}

// Notes gives what happened since it was last asked.
func (s *System) Notes() []Note {
	if s.body == nil || s.body.notes == nil {
		return nil
	}
	list := *s.body.notes
	*s.body.notes = nil
	return list
}

// note keeps a lifecycle item.
func (b *body) note(i int, it kernel.Item) {
	info := &b.sh.motes[i]
	text := ""
	switch it.Kind {
	case kernel.Post:
		text = "posts " + info.kind.profile.TaskName(it.Arg)
	case kernel.Run:
		text = "runs " + info.kind.profile.TaskName(it.Arg)
	case kernel.Fail:
		text = "is refused to post " + info.kind.profile.TaskName(it.Arg)
	default:
		return
	}
	*b.notes = append(*b.notes, Note{i, text})
}

// place is where in its source a mote is.
func place(m *mote.Mote) (function, file string, line int, ok bool) {
	return placeAt(m.Kind.Image, m.Core().PC*2)
}

// placeAt is where in the source an instruction is.
func placeAt(im *image.Image, addr uint32) (function, file string, line int, ok bool) {
	if l, found := im.LineAt(addr); found {
		file, line, ok = l.File, l.Line, true
	}
	if list := im.InlineStack(addr); len(list) > 0 {
		return list[0].Name, file, line, true
	}
	if f, found := im.FuncAt(addr); found {
		return f.Name, file, line, true
	}
	return "", file, line, ok
}
