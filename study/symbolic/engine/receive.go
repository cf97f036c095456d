package engine

import (
	"slices"

	"motehound/mote/cell"
	"motehound/mote/radio"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/reception"
)

// checked is a transmission that a node hears, with its check sequence.
type checked struct {
	sender uint16
	again  uint8
	fcs
}

// question is what must be chosen before something that has arrived can be taken.
type question struct {
	kind world.ChoiceKind
	reception.Question
}

// Arrived implements core.Listener: it takes what has arrived by now, up to where there is something to choose.
func (n *node) Arrived(s *core.State) bool {
	for {
		at, air := n.first()
		switch {
		case n.failing:
			n.question = question{kind: world.ChoiceFault, Question: reception.Question{At: n.failsAt}}
			return false
		case at > n.Now():
			n.setAlarm()
			return true
		}
		if !n.decided {
			if n.asks(air) {
				return false
			}
			n.decision = reception.Decision{}
		}
		n.decided = false
		n.take(air)
	}
}

// first is when something reaches the node next, and whether that is on the air.
func (n *node) first() (at uint64, air bool) {
	at = medium.Never
	if in := n.lines.Inbox; len(in) > 0 {
		at = in[0].At
	}
	if in := n.air.Inbox; len(in) > 0 && in[0].At <= at {
		return in[0].At, true
	}
	return at, false
}

// take takes what comes first.
func (n *node) take(air bool) {
	if air {
		n.air.Take(n)
	} else {
		n.lines.Take(n)
	}
}

// passBy lets pass what reaches a mote without power, up to a moment.
func (n *node) passBy(until uint64) {
	for at, air := n.first(); at <= until && at != medium.Never; at, air = n.first() {
		n.take(air)
	}
	n.next = 0
}

// setAlarm has the node told of what arrives next.
func (n *node) setAlarm() {
	at, _ := n.first()
	if at != medium.Never {
		at = max(at, n.boot) - n.boot
	}
	n.s.SetAlarm(at)
}

// asks reports whether something is to be chosen before what comes first can be taken, and notes what.
func (n *node) asks(air bool) bool {
	net, cut := n.e.cfg.World.Net, false
	if air {
		x := &n.air.Inbox[0]
		if x.Sender == world.Stranger || !n.air.Asks(x, n) {
			return false
		}
		n.question.kind = world.ChoiceReception
		if n.question.Question, cut = reception.OnAir(net, int(x.Sender), n.mote, x.At); cut {
			return false
		}
	} else {
		x := &n.lines.Inbox[0]
		if !n.lines.Asks(x, n) {
			return false
		}
		n.question = question{world.ChoiceWire, reception.OnWire(net, int(x.Wire), medium.End{Mote: n.mote, USART: x.USART}, x.At)}
	}
	if n.fates(n.question.Question).Allowed == 1<<reception.Delivered {
		n.asked[n.question.kind]++ // it is asked, with one answer
		return false
	}
	return true
}

// A node implements reception.Radio and reception.Port.

func (n *node) Listening() bool { return n.s.Machine().Radio().Listening() }
func (n *node) Answering() bool { return n.s.Machine().Radio().Answering() }

// Fate implements reception.Radio: it was chosen before.
func (n *node) Fate(x *reception.Item) reception.Decision {
	if x.Sender == world.Stranger {
		return reception.Decision{}
	}
	if _, cut := reception.OnAir(n.e.cfg.World.Net, int(x.Sender), n.mote, x.At); cut {
		return reception.Decision{Fate: reception.Lost}
	}
	return n.decision
}

func (n *node) Edit(e *reception.Ear, x *reception.Item) {
	f, sent := n.check(x), x.Data.V()
	if len(n.e.cfg.Frames) > 0 && e.Heard && e.Again == 0 {
		x.Data = n.frameOnAir(x)
	}
	if f.next(n.Look(), sent, x.Data) {
		x.Flags |= reception.Right
	}
	if x.Flags&reception.Right != 0 {
		x.Data = f.here(n)
	}
}

func (n *node) Hear(x *reception.Item) {
	n.s.Hear(x.At-n.boot, radio.Heard{Kind: x.Kind, Sender: x.Sender, Carrier: x.Carrier, Bit: x.Bit, Data: x.Data})
	if x.Kind == radio.CarrierOff {
		again := x.Flags & reception.Again
		n.checks = slices.DeleteFunc(n.checks, func(f checked) bool { return f.sender == x.Sender && f.again == again })
		if again == 0 {
			n.frames.End(x.Sender, false)
		}
	}
}

func (n *node) Powered() bool { return !n.off }

func (n *node) Now() uint64 { return n.boot + n.s.Time() }

func (n *node) Framing(wire uint16) medium.Framing { return n.e.cfg.World.Net.Wires[wire].Framing }

// Delimits implements reception.Port. It depends on the value of a character: those that end a frame and those that do not are different paths.
func (n *node) Delimits(c cell.Cell, end uint8) bool {
	if c.Expr() == 0 {
		return c.V() == end
	}
	return n.s.Settle(n.e.pool.Eq(expr.ID(c.Expr()), n.e.pool.Const(8, uint64(end))), "a byte on a wire that may or may not end a frame")
}

// FrameFate implements reception.Port: it was chosen before.
func (n *node) FrameFate(*reception.Char) reception.Decision { return n.decision }

func (n *node) EditChar(x *reception.Char) (gone bool) {
	return len(n.e.cfg.Frames) > 0 && n.frameOnWire(x)
}

func (n *node) Receive(x *reception.Char) { n.s.Receive(x.USART, x.Serial(n.boot)) }

func (n *node) FrameEnds(wire uint16, at uint64) {
	n.frames.End(wire, true)
	n.PowerMayFail(at)
}

// check is how far the check sequence of a transmission is.
func (n *node) check(x *reception.Item) *fcs {
	again := x.Flags & reception.Again
	i := slices.IndexFunc(n.checks, func(f checked) bool { return f.sender == x.Sender && f.again == again })
	if i < 0 {
		i = len(n.checks)
		n.checks = append(n.checks, checked{sender: x.Sender, again: again})
	}
	return &n.checks[i].fcs
}
