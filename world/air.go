package world

import (
	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/radio"
	"motehound/world/medium"
	"motehound/world/reception"
)

// airItem is something on its way to a mote's radio. Plain data.
type airItem struct {
	at      uint64 // picoseconds since the world's start
	bit     uint64
	carrier radio.Carrier
	data    cell.Cell
	sender  uint16
	kind    radio.HeardKind
	replay  uint8 // 1 for an item of a duplicated frame: its fate is decided
}

// ownEnd tells a mote, by way of its inbox, that its own transmission is over: a point at which its power may fail.
const ownEnd radio.HeardKind = 0xFF

// ear is a transmission that a mote hears, or could.
type ear struct {
	bytes   uint32 // that have begun
	corrupt uint32 // bit to turn over, counted from the first byte after the preamble that can matter; of reception.Delayed, by how many microseconds
	sender  uint16
	fate    reception.Fate
	replay  uint8
	heard   bool // the radio listened when it began
	Pad     [3]uint8
}

// maxEars is how many transmissions can overlap at a receiver; more are heard as energy of the first ones only.
const maxEars = 16

// ears is the state of a mote's reception.
type ears struct {
	n    uint32
	Pad  uint32
	each [maxEars]ear
}

// airState is what a world keeps of the air for each mote.
type airState struct {
	inbox []airItem // sorted by (at, sender), the future only
	taped []airItem // of frames that will be heard again
	sent  []airItem // in a guided world: of the transmission under way
	ears  ears
}

func (a *airState) copyFrom(from *airState) {
	a.inbox = append(a.inbox[:0], from.inbox...)
	a.taped = append(a.taped[:0], from.taped...)
	a.sent = from.sent[:len(from.sent):len(from.sent)] // whoever adds to it makes a copy
	a.ears = from.ears
}

func (a *airState) appendState(d *digest.Digest) {
	digest.Struct(d, &a.ears)
	for _, list := range [][]airItem{a.inbox, a.taped} {
		d.Word(uint64(len(list)))
		for i := range list {
			digest.Struct(d, &list[i])
		}
	}
}

// insert puts an item into its place.
func (a *airState) insert(x airItem) { *a.place(x.at, x.sender) = x }

// place makes room for an item.
func (a *airState) place(at uint64, sender uint16) *airItem {
	i := len(a.inbox)
	for i > 0 && (a.inbox[i-1].at > at || a.inbox[i-1].at == at && a.inbox[i-1].sender > sender) {
		i--
	}
	a.inbox = append(a.inbox, airItem{})
	if i < len(a.inbox)-1 {
		copy(a.inbox[i+1:], a.inbox[i:])
	}
	return &a.inbox[i]
}

func (a *airState) pop() airItem {
	x := a.inbox[0]
	if len(a.inbox) == 1 { // as nearly always
		a.inbox = a.inbox[:0]
	} else {
		a.inbox = append(a.inbox[:0], a.inbox[1:]...)
	}
	return x
}

// send passes an item on to everybody who hears the sender.
func (w *World) send(from int, x airItem) {
	x.sender = uint16(from)
	if w.guided {
		w.collect(from, x)
		return
	}
	if w.cfg.Net == nil {
		return
	}
	for _, l := range w.cfg.Net.From(from) {
		if w.motes[l.To].Radio() == nil {
			continue
		}
		if at := x.at + l.Delay; w.reaches(l.To, at) {
			y := w.per[l.To].air.place(at, x.sender)
			*y = x
			y.at = at
			y.carrier.DBm += int16(l.GainDB)
			w.planAir(l.To)
		}
	}
}

// deliver puts an item on its way to one mote.
func (w *World) deliver(to int, x airItem) {
	if w.reaches(to, x.at) {
		w.per[to].air.insert(x)
		w.planAir(to)
	}
}

// reaches tells whether a mote has been switched on when a signal comes.
func (w *World) reaches(to int, at uint64) bool {
	boot := w.per[to].boot
	if at < boot {
		return false
	}
	if at < boot+w.motes[to].Time() {
		panic("BUG: a signal reaches a mote in its past")
	}
	return true
}

// planAir has a mote hear the next item that it must hear at its moment.
func (w *World) planAir(i int) {
	at := uint64(medium.Never)
	if x := w.urgent(i); x != nil {
		at = max(x.at, w.per[i].boot) - w.per[i].boot
	}
	if w.motes[i].PlanAir(at) {
		w.stale(i)
	}
}

// urgent is the first item that cannot wait for the radio's next event. Where budgets are shared nothing waits, so that motes
// come to their choices in the order of time.
func (w *World) urgent(i int) *airItem {
	in := w.per[i].air.inbox
	for k := range in {
		if in[k].kind != radio.Byte || w.turns.need || w.sched.prompt || !w.motes[i].Radio().Follows(in[k].sender, in[k].at-w.per[i].boot, in[k].bit, k) {
			return &in[k]
		}
	}
	return nil
}

// CatchUp implements mote.Env.
func (e env) CatchUp(m *mote.Mote) {
	w, a := e.w, &e.w.per[e.i].air
	if len(a.inbox) == 0 || w.turns.need || w.sched.prompt {
		return
	}
	now := w.per[e.i].boot + m.Time()
	for len(a.inbox) > 0 && a.inbox[0].at <= now && a.inbox[0].kind == radio.Byte {
		x := a.pop()
		w.hear(e.i, m, &x)
	}
}

// ReplanAir implements mote.Env.
func (e env) ReplanAir(*mote.Mote) {
	if len(e.w.per[e.i].air.inbox) > 0 {
		e.w.planAir(e.i)
	}
}

// Air implements mote.Env: something reaches a mote's radio now.
func (e env) Air(m *mote.Mote) {
	w, a := e.w, &e.w.per[e.i].air
	now := w.per[e.i].boot + m.Time()
	for len(a.inbox) > 0 && a.inbox[0].at <= now {
		if w.turns.mustWait(e.i, a.inbox[0].at) {
			m.Pause()
			break
		}
		x := a.pop()
		w.hear(e.i, m, &x)
	}
	w.planAir(e.i)
}

// hear gives one item to a mote's radio, as its fate wants it.
func (w *World) hear(i int, m *mote.Mote, x *airItem) {
	a := &w.per[i].air
	at := x.at - w.per[i].boot
	switch x.kind {
	case radio.CarrierOn:
		if a.ears.n < maxEars {
			a.ears.each[a.ears.n] = w.listen(i, m, x)
			a.ears.n++
		}
		m.Heard(at, radio.Heard{Kind: x.kind, Sender: x.sender, Carrier: x.carrier})
		a.tape(x)
	case radio.Byte:
		r := a.ear(x.sender, x.replay)
		if r == nil || r.fate == reception.Lost {
			return
		}
		if r.fate >= reception.Delayed {
			a.tape(x)
			return
		}
		if len(w.cfg.Edits) > 0 && r.heard && x.replay == 0 {
			x.data = w.editAir(i, m, x)
		}
		if r.fate == reception.Duplicated {
			a.tape(x)
		}
		data := x.data
		if r.fate == reception.Corrupted && r.bytes == r.corrupt/8 {
			data = cell.Of(data.V() ^ 1<<(r.corrupt%8))
		}
		r.bytes++
		m.HeardByte(at, x.sender, x.bit, data)
	case radio.CarrierOff:
		m.Heard(at, radio.Heard{Kind: x.kind, Sender: x.sender})
		a.tape(x)
		if x.replay == 0 {
			w.per[i].edits.end(x.sender, false)
		}
		r := a.ear(x.sender, x.replay)
		if r == nil {
			return
		}
		if r.fate != reception.Lost && r.fate < reception.Delayed && r.heard && r.bytes > 0 && m.Radio().Listening() {
			w.per[i].received++
		}
		switch {
		case r.fate == reception.Delayed:
			w.again(i, x.sender, x.at, uint64(r.corrupt)*Microsecond)
		case r.fate == reception.Duplicated || r.replay == 0 && r.fate != reception.Reordered && len(a.taped) > 0:
			w.again(i, x.sender, x.at, reception.DuplicateGap)
		}
		heard := r.heard && r.replay == 0
		a.ears.n--
		*r = a.ears.each[a.ears.n]
		a.ears.each[a.ears.n] = ear{}
		if heard {
			w.decide(i, m, x.at)
		}
	case ownEnd:
		w.decide(i, m, x.at)
	}
}

// ear finds a transmission that is being heard.
func (a *airState) ear(sender uint16, replay uint8) *ear {
	for i := range a.ears.each[:a.ears.n] {
		if r := &a.ears.each[i]; r.sender == sender && r.replay == replay {
			return r
		}
	}
	return nil
}

// listen decides the fate of a transmission at one receiver. Nobody asks where nothing listens.
func (w *World) listen(i int, m *mote.Mote, x *airItem) ear {
	r := ear{sender: x.sender, replay: x.replay, heard: m.Radio().Listening()}
	if x.replay == 1 || !r.heard || w.guided {
		return r
	}
	if w.cfg.Net.IsCut(int(x.sender), i, x.at) {
		r.fate = reception.Lost
		return r
	}
	l, _ := w.cfg.Net.Find(int(x.sender), i)
	r.fate = w.fate(ChoiceReception, reception.Question{From: int(x.sender), To: i, Wire: None, At: x.at, Loss: l.Loss})
	switch r.fate {
	case reception.Corrupted:
		r.corrupt = reception.CorruptFrom*8 + w.ask(i, ChoiceCorruption, reception.CorruptBits)
	case reception.Delayed:
		r.corrupt = uint32(w.span / Microsecond)
	}
	return r
}

// tape keeps an item of a frame that will be heard again.
func (a *airState) tape(x *airItem) {
	if r := a.ear(x.sender, x.replay); r != nil && r.fate >= reception.Duplicated {
		a.taped = append(a.taped, *x)
	}
}

// again sends taped frames to the receiver once more, a while after a moment.
func (w *World) again(i int, sender uint16, end, gap uint64) {
	a := &w.per[i].air
	kept := a.taped[:0]
	var first uint64
	for _, x := range a.taped {
		if x.sender != sender {
			kept = append(kept, x)
			continue
		}
		if first == 0 {
			first = x.at
		}
		x.at += end - first + gap
		x.replay = 1
		a.insert(x)
	}
	a.taped = kept
	w.planAir(i)
}

// SwitchOn, Emit and SwitchOff implement mote.Env: a mote's radio sends.

// SwitchOn starts a transmission.
func (e env) SwitchOn(_ *mote.Mote, at uint64, c radio.Carrier) {
	at += e.w.per[e.i].boot
	e.w.per[e.i].edits.sending = Parser{}
	e.w.frameOn(e.i, at, c)
	e.w.send(e.i, airItem{at: at, kind: radio.CarrierOn, carrier: c})
}

// Emit puts a byte on the air.
func (e env) Emit(m *mote.Mote, at, bit uint64, c cell.Cell) {
	at += e.w.per[e.i].boot
	if e.w.plan.resent {
		c = e.w.editSent(e.i, m, c)
	}
	e.w.frameByte(e.i, at, c)
	e.w.send(e.i, airItem{at: at, kind: radio.Byte, bit: bit, data: c})
}

// SwitchOff ends a transmission.
func (e env) SwitchOff(_ *mote.Mote, at uint64) {
	at += e.w.per[e.i].boot
	e.w.frameOff(e.i, at)
	e.w.send(e.i, airItem{at: at, kind: radio.CarrierOff})
	if e.w.plan.frail[e.i] && !e.w.per[e.i].off && !e.w.guided {
		e.w.deliver(e.i, airItem{at: at, kind: ownEnd, sender: uint16(e.i)})
	}
}

// Choose implements mote.Env: noise in a radio. In a guided world there is none.
func (e env) Choose(_ *mote.Mote, options uint32) uint32 {
	if e.w.guided {
		return radio.Silence
	}
	return e.w.ask(e.i, ChoiceNoise, options)
}
