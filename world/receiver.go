package world

import (
	"motehound/mote/cell"
	"motehound/mote/radio"
	"motehound/world/medium"
	"motehound/world/reception"
)

// receiver is a mote of a world as frames reach it: what becomes of them is asked of the Chooser. In a guided world whoever guides it has
// decided before. It implements reception.Radio and reception.Port.
type receiver env

func (r *receiver) Listening() bool { return r.w.motes[r.i].Radio().Listening() }

func (r *receiver) Answering() bool { return r.w.motes[r.i].Radio().Answering() }

func (r *receiver) Look() *radio.Frames { return r.w.frameLook(r.i) }

func (r *receiver) Fate(x *reception.Item) reception.Decision {
	if r.w.guided || x.Sender == Stranger {
		return reception.Decision{}
	}
	q, cut := reception.OnAir(r.w.cfg.Net, int(x.Sender), r.i, x.At)
	if cut {
		return reception.Decision{Fate: reception.Lost}
	}
	return r.w.decideFate(ChoiceReception, q)
}

func (r *receiver) Edit(e *reception.Ear, x *reception.Item) {
	if len(r.w.cfg.Edits) > 0 && e.Heard && e.Again == 0 {
		p, offset := r.w.per[r.i].frames.Heard(x, r.w.frameLook(r.i))
		x.Data = r.w.editByte(r.i, false, p, offset, x.Data)
	}
}

func (r *receiver) Flip(c cell.Cell, wrong, i uint32) cell.Cell { return reception.Flip(c, wrong, i) }

func (r *receiver) Hear(x *reception.Item) {
	m, at := r.w.motes[r.i], x.At-r.w.per[r.i].boot
	switch x.Kind {
	case radio.Byte:
		m.HeardByte(at, x.Sender, x.Bit, x.Data)
	case radio.CarrierOn:
		m.Heard(at, radio.Heard{Kind: x.Kind, Sender: x.Sender, Carrier: x.Carrier})
	case radio.CarrierOff:
		m.Heard(at, radio.Heard{Kind: x.Kind, Sender: x.Sender})
		if x.Flags&reception.Again == 0 {
			r.w.per[r.i].frames.End(x.Sender, false)
		}
	}
}

func (r *receiver) PowerMayFail(at uint64) { r.w.decide(r.i, r.w.motes[r.i], at) }

func (r *receiver) Powered() bool { return !r.w.per[r.i].off }

func (r *receiver) Now() uint64 { return r.w.per[r.i].boot + r.w.motes[r.i].Time() }

func (r *receiver) Framing(wire uint16) medium.Framing { return r.w.cfg.Net.Wires[wire].Framing }

func (r *receiver) Delimits(c cell.Cell, end uint8) bool { return c.V() == end }

func (r *receiver) FrameFate(x *reception.Char) reception.Decision {
	return r.w.decideFate(ChoiceWire, reception.OnWire(r.w.cfg.Net, int(x.Wire), medium.End{Mote: r.i, USART: x.USART}, x.At))
}

func (r *receiver) EditChar(x *reception.Char) (gone bool) {
	return len(r.w.cfg.Edits) > 0 && r.w.editLine(r.i, x)
}

func (r *receiver) Receive(x *reception.Char) {
	r.w.motes[r.i].Receive(x.USART, x.Serial(r.w.per[r.i].boot))
}

func (r *receiver) FrameEnds(wire uint16, at uint64) {
	r.w.per[r.i].frames.End(wire, true)
	r.PowerMayFail(at)
}
