package world

import (
	"fmt"

	"motehound/mote/cell"
	"motehound/mote/radio"
	"motehound/world/medium"
	"motehound/world/reception"
)

// Edit is a byte of a frame that reaches a mote with another value than it was sent with: how a run has inputs that the sender did not
// make. On the air it is byte Offset behind what the radio puts before a frame (radio.Frames: preamble, delimiter and length); a check
// sequence that the radio makes is made right again. On a wire with a framing, Offset counts bytes as they were before
// escapes were put in; Value must be one that needs none.
type Edit struct {
	Mote   int // that receives; or that sends, on the air, to all who hear it: then its own frames are counted
	Sent   bool
	Wire   int // an index into Net.Wires; None for the air
	Nth    int // of those that the mote's radio hears from their beginning, and that are no acknowledgements; or on the wire. Counted from 0
	Offset int
	Value  uint8
}

func (e *Edit) check(c *Config) error {
	if e.Mote < 0 || e.Mote >= len(c.Motes) {
		return fmt.Errorf("an edit is for mote %d, but there are %d", e.Mote, len(c.Motes))
	}
	if e.Wire == None {
		return nil
	}
	if e.Sent {
		return fmt.Errorf("an edit is for what mote %d sends on wire %d: say which mote receives it", c.Motes[e.Mote].ID, e.Wire)
	}
	if c.Net == nil || e.Wire < 0 || e.Wire >= len(c.Net.Wires) {
		return fmt.Errorf("an edit is for wire %d, which is not there", e.Wire)
	}
	w := c.Net.Wires[e.Wire]
	if w.A.Mote != e.Mote && w.B.Mote != e.Mote {
		return fmt.Errorf("an edit is for wire %d to mote %d, where that wire does not lead", e.Wire, c.Motes[e.Mote].ID)
	}
	if end, escape := w.Framing.Escapes(); w.Framing != medium.NoFraming && (e.Value == end || e.Value == escape) {
		return fmt.Errorf("an edit puts %#x on a wire, which a frame cannot have in it without an escape", e.Value)
	}
	return nil
}

// edit is what an Edit makes of a byte that a mote receives, or sends.
func (w *World) edit(mote int, sent bool, wire, nth, offset int, c cell.Cell) (cell.Cell, bool) {
	for _, e := range w.cfg.Edits {
		if e.Mote == mote && e.Sent == sent && e.Wire == wire && e.Nth == nth && e.Offset == offset {
			return cell.Of(e.Value), true
		}
	}
	return c, false
}

// editByte is the next byte of a transmission that a mote receives, or sends, with a check sequence that is as right as it was.
func (w *World) editByte(i int, sent bool, p *reception.Parser, offset int, data cell.Cell) cell.Cell {
	if offset < 0 {
		return data
	}
	c, _ := w.edit(i, sent, None, p.Nth(), offset, data)
	if v := p.Sum(w.frameLook(i), offset, data.V(), c.V()); v != c.V() {
		return cell.Of(v)
	}
	return c
}

// frameLook is what the frames of a mote's radio look like.
func (w *World) frameLook(i int) *radio.Frames { return w.motes[i].Kind.Board.Radio.Frames }

// editLine is a character of a frame on a wire as a mote gets it. An escape is gone if what it stands before needs none.
func (w *World) editLine(i int, x *reception.Char) (gone bool) {
	p, offset, half := w.per[i].frames.Came(x, w.cfg.Net.Wires[x.Wire].Framing)
	c, edited := w.edit(i, false, int(x.Wire), p.Nth(), offset, x.Data)
	if half {
		return edited
	}
	x.Data = c
	return false
}
