package engine

import (
	"fmt"

	"motehound/mote/cell"
	"motehound/mote/radio"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/reception"
)

// Frame is symbolic bytes of a frame that a mote receives; or, on the air, of one that it sends: they are the same for all who hear it. Which frame and which bytes, they are counted as for a world.Edit. A byte that the
// frame is too short for is none.
type Frame struct {
	Mote           int
	Sent           bool // by that mote
	Wire           int  // an index into Net.Wires; world.None for the air
	Nth            int  // counted from 0
	Offset, Length int
	Name           string
	Assumed        []Assumption // about its symbolic bytes, from Offset on
}

func (f *Frame) check(c *Config) error {
	switch net := c.World.Net; {
	case f.Nth < 0 || f.Offset < 0 || f.Length <= 0:
		return fmt.Errorf("symbolic frame %q: frame %d, bytes from %d on, %d of them: give numbers from 0 on, and at least one byte", f.Name, f.Nth, f.Offset, f.Length)
	case f.Wire == world.None:
		return nil
	case f.Sent:
		return fmt.Errorf("symbolic frame %q is one that mote %d sends on a wire: say which mote receives it", f.Name, f.Mote)
	case net == nil || f.Wire < 0 || f.Wire >= len(net.Wires):
		return fmt.Errorf("symbolic frame %q is on wire %d, which is not there", f.Name, f.Wire)
	case net.Wires[f.Wire].A.Mote != f.Mote && net.Wires[f.Wire].B.Mote != f.Mote:
		return fmt.Errorf("symbolic frame %q: wire %d does not lead to mote %d", f.Name, f.Wire, f.Mote)
	}
	return nil
}

// symbolicByte is a byte of a frame that reaches a node, or that it sends: an input, if the Config says so.
func (n *node) symbolicByte(sent bool, wire, nth, offset int, c cell.Cell) (cell.Cell, bool) {
	for i := range n.e.cfg.Frames {
		f := &n.e.cfg.Frames[i]
		if f.Mote == n.mote && f.Sent == sent && f.Wire == wire && f.Nth == nth && offset >= f.Offset && offset < f.Offset+f.Length {
			return n.frameByte(f, inputKey{frameInput, i, offset - f.Offset}, c), true
		}
	}
	return c, false
}

// frameByte is a symbolic byte. The same one is the same input in all states.
func (n *node) frameByte(f *Frame, k inputKey, c cell.Cell) cell.Cell {
	p := n.e.pool
	v, ok := n.e.inputs[k]
	if !ok {
		way := "to"
		if f.Sent {
			way = "from"
		}
		x := n.s.Input(fmt.Sprintf("mote%d.%s[%d]", n.mote, f.Name, k.byte), 8,
			fmt.Sprintf("byte %d of frame %d %s mote %d", f.Offset+k.byte, f.Nth, way, n.mote), uint64(c.V()))
		if v, ok = p.VarOf(x); !ok {
			return c // there is no room for more
		}
		n.e.inputs[k] = v
	} else {
		n.s.Know(expr.NewModel([]expr.VarIndex{v}, []uint64{uint64(c.V())}))
	}
	n.assume(f.Assumed, k.byte, p.VarID(v))
	return n.s.Cell(p.VarID(v))
}

// unescaped has a byte on a wire be none that would need an escape.
func (n *node) unescaped(f medium.Framing, c cell.Cell) {
	if f == medium.NoFraming || c.Expr() == 0 {
		return
	}
	end, escape := f.Escapes()
	for _, v := range []uint8{end, escape} {
		n.s.Assume(n.e.pool.Ne(expr.ID(c.Expr()), n.e.pool.Const(8, uint64(v))))
	}
}

// frameOnAir is a byte of a transmission as the node hears it, before anything befalls it.
func (n *node) frameOnAir(x *reception.Item) cell.Cell {
	c := x.Data
	if p, offset := n.frames.Heard(x, n.Look()); offset >= 0 {
		c, _ = n.symbolicByte(false, world.None, p.Nth(), offset, c)
	}
	return c
}

// Look implements reception.Radio.
func (n *node) Look() *radio.Frames { return n.e.cfg.World.Motes[n.mote].Kind.Board.Radio.Frames }

// frameSent is what a node sends, as others can hear it.
func (n *node) frameSent(o *core.Output) {
	switch o.Kind {
	case core.CarrierOn:
		n.frames.Send()
	case core.AirByte:
		if p, offset := n.frames.Sent(o.Data.V(), n.Look()); offset >= 0 {
			o.Data, _ = n.symbolicByte(true, world.None, p.Nth(), offset, o.Data)
		}
	}
}

// frameOnWire has a node get a character of a frame on a wire. An escape is gone if what it stands before is symbolic.
func (n *node) frameOnWire(x *reception.Char) (gone bool) {
	f := n.Framing(x.Wire)
	p, offset, half := n.frames.Came(x, f)
	c, symbolic := n.symbolicByte(false, int(x.Wire), p.Nth(), offset, x.Data)
	if half {
		return symbolic
	}
	if x.Data = c; symbolic {
		n.unescaped(f, c)
	}
	return false
}
