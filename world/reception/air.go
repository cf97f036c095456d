package reception

import (
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/radio"
	"motehound/world/medium"
)

// Item is something on its way to a mote's radio. Plain data.
type Item struct {
	At      uint64 // picoseconds since the start
	Bit     uint64 // of a byte: picoseconds per bit. Of a carrier's beginning: see Decide
	Carrier radio.Carrier
	Data    cell.Cell
	Sender  uint16
	Kind    radio.HeardKind
	Flags   uint8
}

// Flags of an Item.
const (
	Again = 1 << iota // of a transmission that is heard later: its fate is decided
	Right             // of a byte: part of a check sequence that is right whatever the other bytes are; symbolic runs know of that
)

// OwnEnd lets a mote know, through its inbox, that its own transmission is over: a point at which its power may fail.
const OwnEnd radio.HeardKind = 0xFF

// Over is an item as it is at the other end of a link.
func (x Item) Over(l *medium.Link) Item {
	x.At += l.Delay
	x.Carrier.DBm += int16(l.GainDB)
	return x
}

// Decide has a transmission, of which this is the beginning, delivered or corrupted, whoever else decides.
func (x *Item) Decide(d Decision) { x.Bit = uint64(d.Fate) | uint64(d.Wrong)<<8 }

// decided is what was decided beforehand.
func (x *Item) decided() Decision { return Decision{Fate: Fate(x.Bit), Wrong: uint32(x.Bit >> 8)} }

// Ear is a transmission that a mote hears, or could.
type Ear struct {
	bytes  uint32 // that have begun
	detail uint32 // of Corrupted: the wrong bit, counted from the transmission's first byte; of Delayed: by how many microseconds
	Sender uint16
	Fate   Fate
	Again  uint8
	Heard  bool // the radio listened when it began
	Pad    [3]uint8
}

// maxEars is how many transmissions can overlap at a receiver; more are heard as energy of the first ones only.
const maxEars = 16

// ears is the transmissions that a mote hears.
type ears struct {
	n    uint32
	Pad  uint32
	each [maxEars]Ear
}

// Air is what is on its way to a mote's radio, and what has come of it.
type Air struct {
	Inbox []Item // sorted by (At, Sender), the future only
	taped []Item // of frames that will be heard later
	ears  ears
	now   Item // the one that is being taken; no state
}

// Radio is a mote's radio as transmissions reach it, and whoever decides what becomes of them there.
type Radio interface {
	Listening() bool
	// Answering reports whether it has just heard a frame to its end, and begins to acknowledge it by itself.
	Answering() bool
	// Look is what its frames look like.
	Look() *radio.Frames
	// Fate decides what becomes of a transmission that begins while the radio listens.
	Fate(x *Item) Decision
	// Edit may change a byte before anything befalls it.
	Edit(e *Ear, x *Item)
	// Flip is byte number i of those of a corrupted frame that can be wrong, as Decision.Wrong wants it.
	Flip(c cell.Cell, wrong, i uint32) cell.Cell
	// Hear has the radio hear something.
	Hear(x *Item)
	// PowerMayFail says that power may fail at a moment: a transmission has ended that the mote has sent, or has listened to from its beginning.
	PowerMayFail(at uint64)
}

// CopyFrom makes it the same as another one.
func (a *Air) CopyFrom(from *Air) {
	a.Inbox = append(a.Inbox[:0], from.Inbox...)
	a.taped = append(a.taped[:0], from.taped...)
	a.ears = from.ears
}

// Append feeds all of it to a digest, with moments as they are after since.
func (a *Air) Append(d *digest.Digest, since uint64) {
	digest.Struct(d, &a.ears)
	AppendItems(d, a.Inbox, since)
	AppendItems(d, a.taped, since)
}

// AppendItems feeds items to a digest.
func AppendItems(d *digest.Digest, list []Item, since uint64) {
	d.Word(uint64(len(list)))
	for _, x := range list {
		x.At -= since
		digest.Struct(d, &x)
	}
}

// Insert puts an item into its place.
func (a *Air) Insert(x *Item) {
	i := len(a.Inbox)
	for i > 0 && (a.Inbox[i-1].At > x.At || a.Inbox[i-1].At == x.At && a.Inbox[i-1].Sender > x.Sender) {
		i--
	}
	a.Inbox = append(a.Inbox, *x)
	if i < len(a.Inbox)-1 {
		copy(a.Inbox[i+1:], a.Inbox[i:])
		a.Inbox[i] = *x
	}
}

// Asks reports whether a fate is to be decided before an item is taken.
func (a *Air) Asks(x *Item, r Radio) bool {
	return x.Kind == radio.CarrierOn && x.Flags&Again == 0 && x.Bit == 0 && r.Listening()
}

// Take takes the first item out and has a radio hear it, as its fate wants it. It reports whether a transmission has been received with it, from the
// first byte to the end.
func (a *Air) Take(r Radio) (received bool) {
	x := &a.now
	*x = a.Inbox[0]
	if len(a.Inbox) == 1 { // as nearly always
		a.Inbox = a.Inbox[:0]
	} else {
		a.Inbox = append(a.Inbox[:0], a.Inbox[1:]...)
	}
	switch x.Kind {
	case radio.CarrierOn:
		if a.ears.n < maxEars {
			a.ears.each[a.ears.n] = begin(x, r)
			a.ears.n++
		}
		r.Hear(x)
		a.tape(x)
	case radio.Byte:
		if e := a.ear(x); e != nil {
			a.takeByte(e, x, r)
		}
	case radio.CarrierOff:
		r.Hear(x)
		a.tape(x)
		if e := a.ear(x); e != nil {
			return a.end(e, x, r)
		}
	case OwnEnd:
		r.PowerMayFail(x.At)
	}
	return false
}

// begin decides the fate of a transmission. Nobody asks where nothing listens.
func begin(x *Item, r Radio) Ear {
	e := Ear{Sender: x.Sender, Again: x.Flags & Again, Heard: r.Listening()}
	var d Decision
	switch {
	case e.Again != 0:
	case x.Bit != 0:
		d = x.decided()
	case e.Heard:
		d = r.Fate(x)
	}
	e.Fate, e.detail = d.Fate, d.detail(r.Look().Sync)
	return e
}

// takeByte has a radio hear a byte.
func (a *Air) takeByte(e *Ear, x *Item, r Radio) {
	if e.Fate.comes() {
		r.Edit(e, x)
	}
	if e.Fate.Returns() {
		a.taped = append(a.taped, *x)
	}
	if !e.Fate.comes() {
		return
	}
	if e.Fate == Corrupted {
		x.Data = flip(r.Flip, x.Data, e.detail, e.bytes, r.Look().Sync)
	}
	e.bytes++
	r.Hear(x)
}

// end ends a transmission, and has those heard again that were kept for then.
func (a *Air) end(e *Ear, x *Item, r Radio) (received bool) {
	received = e.Fate.comes() && e.Heard && e.bytes > 0 && (r.Listening() || r.Answering())
	switch {
	case e.Fate == Delayed:
		a.again(x, uint64(e.detail)*microsecond)
	case e.Fate == Duplicated || e.Again == 0 && e.Fate != Reordered && len(a.taped) > 0:
		a.again(x, duplicateGap)
	}
	decides := e.Heard && e.Again == 0
	a.ears.n--
	*e = a.ears.each[a.ears.n]
	a.ears.each[a.ears.n] = Ear{}
	if decides {
		r.PowerMayFail(x.At)
	}
	return received
}

// ear finds a transmission that is being heard.
func (a *Air) ear(x *Item) *Ear {
	for i := range a.ears.each[:a.ears.n] {
		if e := &a.ears.each[i]; e.Sender == x.Sender && e.Again == x.Flags&Again {
			return e
		}
	}
	return nil
}

// tape keeps an item of a transmission that will be heard later.
func (a *Air) tape(x *Item) {
	if e := a.ear(x); e != nil && e.Fate.Returns() {
		a.taped = append(a.taped, *x)
	}
}

// again puts the taped transmissions of a sender on their way once more, a while after one of it has ended.
func (a *Air) again(end *Item, gap uint64) {
	kept := a.taped[:0]
	var first uint64
	for _, x := range a.taped {
		if x.Sender != end.Sender {
			kept = append(kept, x)
			continue
		}
		if first == 0 {
			first = x.At
		}
		x.At += end.At - first + gap
		x.Flags |= Again
		a.Insert(&x)
	}
	a.taped = kept
}

// interference is the sender of what no mote sends.
const interference = 1<<16 - 1

// disturbance is as strong as it takes to make a channel busy, and weaker than frames of neighbours are, which are still received.
var disturbance = radio.Carrier{Hertz: radio.EveryChannel, DBm: -70, Modulation: radio.Noise}

// Disturb has the channel busy around a mote from one moment to another.
func (a *Air) Disturb(from, until uint64) {
	a.Insert(&Item{At: from, Sender: interference, Kind: radio.CarrierOn, Flags: Again, Carrier: disturbance})
	a.Insert(&Item{At: until, Sender: interference, Kind: radio.CarrierOff, Flags: Again})
}

// Disturbed reports whether that is not over.
func (a *Air) Disturbed() bool {
	for i := range a.Inbox {
		if a.Inbox[i].Sender == interference {
			return true
		}
	}
	return false
}

// Deafen has a mote hear no transmission to its end that it began to hear before its power failed.
func (a *Air) Deafen() {
	for n := range a.ears.each[:a.ears.n] {
		a.ears.each[n].Heard = false
	}
}

// Forget drops all that is on its way.
func (a *Air) Forget() { a.Inbox, a.taped, a.ears = a.Inbox[:0], a.taped[:0], ears{} }
