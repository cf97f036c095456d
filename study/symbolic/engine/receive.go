package engine

import (
	"math/bits"
	"slices"

	"motehound/mote/cell"
	"motehound/mote/periph"
	"motehound/mote/radio"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/reception"
)

// The rules of reception are package world's (air.go, wire.go there): who hears what when, where fates are asked, how long a wire takes.

// corruptBits is how many bits the number of a wrong bit has.
var corruptBits = bits.Len(reception.CorruptBits - 1)

// line is a wire's direction towards a mote: the frame under way on it.
type line struct {
	free    uint64
	wire    uint16
	inFrame bool
	fate    reception.Fate
	bytes   int     // of the frame so far
	bit     expr.ID // of a corrupted frame: which bit is wrong
	parser  world.Parser
	span    uint64 // of a delayed frame
}

// ear is a transmission that a mote hears, or could.
type ear struct {
	sender uint16
	fate   reception.Fate
	replay bool
	heard  bool
	check  fcs
	bytes  int     // so far
	bit    expr.ID // of a corrupted frame: which bit is wrong
	parser world.Parser
	span   uint64 // of a delayed frame
}

// question is what must be chosen before something that has arrived can be taken.
type question struct {
	kind world.ChoiceKind
	reception.Question
	heard bool // the radio listens
}

// powerQuestion is an item that asks what befalls the mote.
const powerQuestion radio.HeardKind = 0xFE

// Arrived implements core.Listener: it takes what has arrived by now, up to where there is something to choose.
func (n *node) Arrived(s *core.State) bool {
	now := n.boot + s.Time()
	for len(n.inbox) > 0 && n.inbox[0].at <= now {
		x := n.inbox[0]
		if !n.decided {
			q, open := n.asks(x)
			if n.question = q; open {
				return false
			}
			n.fate = reception.Delivered
		}
		n.decided = false
		n.inbox = slices.Delete(n.inbox, 0, 1)
		switch {
		case x.air:
			n.hear(x)
		default:
			n.character(x)
		}
	}
	n.setAlarm()
	return true
}

// setAlarm has the node told of what arrives next.
func (n *node) setAlarm() {
	at := uint64(periph.Never)
	if len(n.inbox) > 0 {
		at = max(n.inbox[0].at, n.boot) - n.boot
	}
	n.s.SetAlarm(at)
}

// asks is what is to be chosen for an item, and whether there is a choice.
func (n *node) asks(x item) (q question, open bool) {
	net := n.e.cfg.World.Net
	switch {
	case x.air && x.heard.Kind == powerQuestion:
		return question{kind: world.ChoiceFault, Question: reception.Question{At: x.at}}, true
	case x.air && x.heard.Kind == radio.CarrierOn:
		q = question{kind: world.ChoiceReception, heard: n.s.Machine().Radio().Listening(),
			Question: reception.Question{From: int(x.from), To: n.mote, Wire: world.None, At: x.at}}
		if x.replay || !q.heard || net.IsCut(q.From, n.mote, x.at) {
			return q, false
		}
	case !x.air && !x.replay && !n.lines[n.line(x.from)].inFrame && !n.delimits(net.Wires[x.from].Framing, x.char.Data):
		from := net.Wires[x.from].A
		if from == (medium.End{Mote: n.mote, USART: x.usart}) {
			from = net.Wires[x.from].B
		}
		q = question{kind: world.ChoiceWire, Question: reception.Question{From: from.Mote, To: n.mote, Wire: int(x.from), At: x.at}}
	default:
		return q, false
	}
	fates := n.fates(q.Question)
	if open = fates.Allowed != 1<<reception.Delivered; !open {
		n.asked[q.kind]++ // it is asked, with one answer
	}
	return q, open
}

// miss drops what arrives at a mote without power.
func (n *node) miss(until uint64) {
	for len(n.inbox) > 0 && n.inbox[0].at < until {
		x := n.inbox[0]
		n.inbox = slices.Delete(n.inbox, 0, 1)
		if x.air && x.heard.Kind == radio.CarrierOff {
			n.ears = slices.DeleteFunc(n.ears, func(r ear) bool { return r.sender == x.from && r.replay == x.replay })
		}
	}
	n.next = 0
}

// character passes a character on, as the fate of its frame wants it.
func (n *node) character(x item) {
	s := &n.lines[n.line(x.from)]
	if x.replay {
		n.give(x)
		return
	}
	framing := n.e.cfg.World.Net.Wires[x.from].Framing
	ends := n.delimits(framing, x.char.Data)
	if !s.inFrame {
		if ends {
			n.give(x)
			return
		}
		s.inFrame, s.fate, s.bytes, s.bit, s.parser, s.span = true, n.fate, 0, n.bit, world.Parser{}, n.span
	}
	if len(n.e.cfg.Frames) > 0 && !ends && s.fate != reception.Lost {
		var gone bool
		if x.char.Data, gone = n.frameOnWire(s, framing, x.char.Data); gone {
			return
		}
	}
	if s.fate >= reception.Duplicated {
		n.taped = append(n.taped, x)
	}
	if s.fate == reception.Corrupted && !ends {
		x.char.Data = n.corrupted(x.char.Data, s.bit, s.bytes)
	}
	s.bytes++
	if s.fate != reception.Lost && s.fate < reception.Delayed {
		n.give(x)
	}
	if ends || framing == medium.NoFraming {
		s.inFrame = false
		switch {
		case s.fate == reception.Delayed:
			n.giveAgain(s, x.from, max(s.free, x.start)+s.span)
		case s.fate == reception.Duplicated || s.fate != reception.Reordered && len(n.taped) > 0:
			n.giveAgain(s, x.from, s.free)
		}
		n.powerMayFail(x.at)
	}
}

// delimits tells whether a character ends a frame. It depends on its value: those that do and those that do not are different paths.
func (n *node) delimits(f medium.Framing, c cell.Cell) bool {
	var end uint8
	switch f {
	case medium.SLIP:
		end = 0xC0
	case medium.HDLC:
		end = 0x7E
	default:
		return false
	}
	if c.Expr() == 0 {
		return c.V() == end
	}
	return n.s.Settle(n.e.pool.Eq(expr.ID(c.Expr()), n.e.pool.Const(8, uint64(end))), "a byte on a wire that may or may not end a frame")
}

func (n *node) line(wire uint16) int {
	i := slices.IndexFunc(n.lines, func(l line) bool { return l.wire == wire })
	if i < 0 {
		i = len(n.lines)
		n.lines = append(n.lines, line{wire: wire})
	}
	return i
}

// give puts a character on the receiver's line, or has it wait while the line is busy with a duplicate.
func (n *node) give(x item) {
	s := &n.lines[n.line(x.from)]
	if !x.replay {
		x.start, x.replay = max(x.start, s.free), true
		s.free = x.start + x.char.BitTime*uint64(x.char.Format.Bits())
		if x.start > n.boot+n.s.Time() {
			x.at = x.start + 8*x.char.BitTime
			n.insert(x)
			return
		}
	}
	c := x.char
	c.Start = x.start - n.boot
	n.s.Receive(x.usart, c)
}

// giveAgain sends taped frames once more, from a moment on.
func (n *node) giveAgain(s *line, wire uint16, at uint64) {
	kept := n.taped[:0]
	for _, x := range n.taped {
		if x.air || x.from != wire {
			kept = append(kept, x)
			continue
		}
		x.start, x.at, x.replay = at, at+8*x.char.BitTime, true
		at += x.char.BitTime * uint64(x.char.Format.Bits())
		n.insert(x)
	}
	n.taped, s.free = kept, at
}

// hear gives one item to a mote's radio, as its fate wants it.
func (n *node) hear(x item) {
	switch x.heard.Kind {
	case radio.CarrierOn:
		r := ear{sender: x.from, replay: x.replay, heard: n.question.heard}
		if !x.replay && r.heard {
			if r.fate, r.bit, r.span = n.fate, n.bit, n.span; n.e.cfg.World.Net.IsCut(int(x.from), n.mote, x.at) {
				r.fate = reception.Lost
			}
		}
		n.ears = append(n.ears, r)
		n.s.Hear(x.at-n.boot, x.heard)
		n.tape(x)
	case radio.Byte:
		if i := n.ear(x); i >= 0 && n.ears[i].fate != reception.Lost {
			r := &n.ears[i]
			if r.fate >= reception.Delayed {
				n.tape(x)
				return
			}
			sent := x.heard.Data.V()
			if len(n.e.cfg.Frames) > 0 && r.heard && !x.replay {
				x.heard.Data = n.frameOnAir(r, x.heard.Data)
			}
			if x.right = r.check.next(sent, x.heard.Data) || x.right; x.right {
				x.heard.Data = r.check.here(n)
			}
			n.tape(x)
			if r.fate == reception.Corrupted {
				x.heard.Data = n.corrupted(x.heard.Data, r.bit, r.bytes-reception.CorruptFrom)
			}
			r.bytes++
			n.s.Hear(x.at-n.boot, x.heard)
		}
	case radio.CarrierOff:
		n.s.Hear(x.at-n.boot, x.heard)
		n.tape(x)
		i := n.ear(x)
		if i < 0 {
			return
		}
		r := n.ears[i]
		switch {
		case r.fate == reception.Delayed:
			n.again(x, r.span)
		case r.fate == reception.Duplicated || !r.replay && r.fate != reception.Reordered && len(n.taped) > 0:
			n.again(x, reception.DuplicateGap)
		}
		n.ears = slices.Delete(n.ears, i, i+1)
		if r.heard && !r.replay {
			n.powerMayFail(x.at)
		}
	case ownEnd:
		n.powerMayFail(x.at)
	}
}

func (n *node) ear(x item) int {
	return slices.IndexFunc(n.ears, func(r ear) bool { return r.sender == x.from && r.replay == x.replay })
}

// tape keeps an item of a frame that will be heard again.
func (n *node) tape(x item) {
	if i := n.ear(x); i >= 0 && n.ears[i].fate >= reception.Duplicated {
		n.taped = append(n.taped, x)
	}
}

// again sends taped transmissions to the receiver once more, a while after a moment.
func (n *node) again(end item, gap uint64) {
	kept, first := n.taped[:0], uint64(0)
	for _, x := range n.taped {
		if !x.air || x.from != end.from {
			kept = append(kept, x)
			continue
		}
		if first == 0 {
			first = x.at
		}
		x.at += end.at - first + gap
		x.replay = true
		n.insert(x)
	}
	n.taped = kept
}
