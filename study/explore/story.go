package explore

import (
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/mote"
	"motehound/study/check"
	"motehound/world"
	"motehound/world/reception"
)

// Beat is one event of a trace, told.
type Beat struct {
	Event   check.Event
	Title   string
	From    int             // of frames on the air: who sent it; -1 otherwise
	Lost    bool            // it did not arrive
	Late    uint64          // of interrupts and tasks: for how long it waited, by its mote's clock, in picoseconds
	Overdue []Wait          // what has to wait for it longer than it can in nature
	Notes   []string        // what happened inside: tasks that ran and were posted, frames that were sent
	Changed func() []string // variables of the mote, "name: old -> new"; to be asked while the beat is told
}

// Tell runs a trace from the System's state, which is changed, and says what happens. It gives what the events broke, each with
// the number of its event, counted from 1.
func (s *System) Tell(trace []check.Event, each func(n int, b Beat, step check.Step) error) error {
	if err := s.Narrate(true); err != nil {
		return err
	}
	defer func() {
		if s.body != nil {
			s.body.notes = nil
		}
	}()
	var before []byte // the memory of the mote; one for all, since traces are long
	for n, e := range trace {
		if e == check.Healing {
			s.Heal()
			if err := each(n+1, Beat{Event: e, Title: "no more faults", From: -1, Changed: func() []string { return nil }}, check.Step{}); err != nil {
				return err
			}
			continue
		}
		m := s.body.w.Motes()[e.Mote]
		before = append(before[:0], m.Core().RAM...)
		late := s.waited(e)
		var overdue []Wait
		s.overdue(e, func(w Wait) { overdue = append(overdue, w) })
		title := s.Title(e)
		step, err := s.Fire(e)
		if err != nil {
			return fmt.Errorf("event %d of the trace: %w", n+1, err)
		}
		b := Beat{Event: e, Title: title, From: -1, Late: late, Overdue: overdue, Changed: func() []string { return Changes(m, before) }}
		if e.Class == check.Frame && e.Source < wireSource {
			b.From, b.Lost = int(e.Source), reception.Fate(e.Option) == reception.Lost
		}
		for _, note := range s.Notes() {
			if name, ok := strings.CutPrefix(note.Text, "runs "); ok && e.Class == check.Task && e.Option == 0 && b.Title == title {
				b.Title = "task " + name
				continue
			}
			b.Notes = append(b.Notes, note.Text)
		}
		if err := each(n+1, b, step); err != nil {
			return err
		}
	}
	return nil
}

// waited is for how long an event that is enabled has waited. What went wrong while a mote booted has not.
func (s *System) waited(e check.Event) uint64 {
	if e.Class == check.Task && e.Source == booted {
		return 0
	}
	if now := s.Clock(e.Mote); e.Class <= check.Task && now > s.Due(e) {
		return now - s.Due(e)
	}
	return 0
}

// Changes are the variables of one to four bytes, and elements of nothing larger, that have another value than in some earlier or other memory: "name: old -> new".
func Changes(m *mote.Mote, before []byte) []string {
	var list []string
	c, im := m.Chip(), m.Kind.Image
	old := snapshot{c.RAMBase, before}
	for _, v := range im.Vars() {
		ref, err := im.Lookup(v.Name)
		if err != nil || v.Register || ref.Space != image.Data || ref.Indirect() || ref.Type == nil || ref.Type.Size == 0 || ref.Type.Size > 4 {
			continue
		}
		lo := int(ref.Addr) - int(c.RAMBase)
		if lo < 0 || lo+int(ref.Type.Size) > len(before) {
			continue
		}
		same := true
		for k := range int(ref.Type.Size) {
			same = same && before[lo+k] == m.Peek(uint16(ref.Addr)+uint16(k))
		}
		if same {
			continue
		}
		was, err1 := ref.Read(old)
		is, err2 := ref.Read(m.Memory())
		if err1 == nil && err2 == nil {
			list = append(list, fmt.Sprintf("%s: %v -> %v", image.Readable(v.Name), was, is))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// snapshot is memory as it was.
type snapshot struct {
	base uint16
	data []byte
}

// LoadByte implements what variables are read through.
func (x snapshot) LoadByte(addr uint32) uint8 {
	if i := int(addr) - int(x.base); i >= 0 && i < len(x.data) {
		return x.data[i]
	}
	return 0
}

// StoreByte is never called: nobody writes.
func (x snapshot) StoreByte(uint32, uint8) {}

// sends notes what was sent.
func (b *body) sends(p *world.Packet) {
	if b.notes != nil {
		*b.notes = append(*b.notes, Note{p.From, fmt.Sprintf("sends a frame of %d bytes", len(p.Bytes()))})
	}
}
