package world

import (
	"slices"

	"motehound/mote"
	"motehound/mote/radio"
	"motehound/world/medium"
	"motehound/world/reception"
)

// What can befall a mote, the options of ChoiceFault.
const (
	FaultNone   = iota
	FaultReboot // its power fails for a moment
	FaultOutage // its power fails for as long as the Fault says
	FaultLate   // it is switched on later than planned; by how much is the next ChoiceBoot
	FaultBusy   // the channel around it is busy for as long as the Fault says
	numStrikes
)

// Faults are what may go wrong.
type Faults []Fault

// isOpen reports whether a fault may happen at a moment, as far as its budget allows.
func (f *Fault) isOpen(at uint64) bool { return at >= f.After && (f.Until == 0 || at < f.Until) }

// Strike finds a fault of a kind that may befall a mote at a moment, and whose budget is charged then: the first, or -1. Left reports whether some of
// a fault's budget is left. It is asked of faults only that may happen otherwise.
func (l Faults) Strike(k FaultKind, mote int, at uint64, left func(fault int) bool) int {
	for n := range l {
		if f := &l[n]; f.Kind == k && (f.Mote == Everyone || f.Mote == mote) && f.isOpen(at) && left(n) {
			return n
		}
	}
	return -1
}

// Fates is what may become of a frame.
type Fates struct {
	Allowed uint64                     // has a bit for each fate that may be
	faults  [reception.NumFates]uint32 // whose budgets are charged, counted from 1; 0 for none
}

// Allows reports whether a frame may have a fate.
func (f *Fates) Allows(fate reception.Fate) bool { return f.Allowed>>fate&1 != 0 }

// Fault is the fault whose budget is charged if a frame has a fate; -1 for none.
func (f *Fates) Fault(fate reception.Fate) int { return int(f.faults[fate]) - 1 }

var fateFaults = [reception.NumFates]FaultKind{reception.Lost: Lose, reception.Corrupted: Corrupt, reception.Duplicated: Duplicate,
	reception.Delayed: Delay, reception.Reordered: Reorder}

// Fates says what may become of a frame. Nature's own loss is free. Left is as for Strike.
func (l Faults) Fates(q reception.Question, left func(fault int) bool) Fates {
	f := Fates{Allowed: 1 << reception.Delivered}
	if q.Loss > 0 {
		f.Allowed |= 1 << reception.Lost
	}
	if len(l) == 0 {
		return f
	}
	for fate := reception.Lost; fate < reception.NumFates; fate++ {
		if f.Allows(fate) {
			continue
		}
		if n := l.onFrame(fateFaults[fate], q, left); n >= 0 {
			f.Allowed |= 1 << fate
			f.faults[fate] = uint32(n) + 1
		}
	}
	return f
}

// onFrame is Strike for a frame.
func (l Faults) onFrame(k FaultKind, q reception.Question, left func(fault int) bool) int {
	for n := range l {
		f := &l[n]
		if f.Kind == k && f.Wire == q.Wire && (f.Mote == Everyone || f.Mote == q.To) &&
			(f.To == None || f.From == q.From && f.To == q.To) && f.isOpen(q.At) && left(n) {
			return n
		}
	}
	return -1
}

// Frail reports whether something may befall a mote by choice where a frame ends: its power may fail, its channel may become busy.
func (l Faults) Frail(mote int) bool {
	return slices.ContainsFunc(l, func(f Fault) bool {
		return (f.Kind == Reboot || f.Kind == Outage || f.Kind == Busy) && (f.Mote == Everyone || f.Mote == mote)
	})
}

// left reports whether some of a fault's budget is left.
func (w *World) left(fault int) bool { return w.used[fault] < w.cfg.Faults[fault].Max }

// open finds a fault of a kind that may happen to a mote now: the first, or -1.
func (w *World) open(k FaultKind, i int, at uint64) int { return w.cfg.Faults.Strike(k, i, at, w.left) }

// Used is how often a fault of the Config has happened.
func (w *World) Used(fault int) uint32 { return w.used[fault] }

// decideFate asks what becomes of a frame at its receiver, and charges the budget of what goes wrong.
func (w *World) decideFate(k ChoiceKind, q reception.Question) reception.Decision {
	f := w.cfg.Faults.Fates(q, w.left)
	a := reception.Fate(w.put(Choice{Kind: k, Mote: q.To, Options: uint32(reception.NumFates), Weights: lossWeights(q.Loss), Allowed: f.Allowed}))
	d := reception.Decision{Fate: a}
	if fault := f.Fault(a); fault >= 0 {
		w.used[fault]++
		d.Span = w.cfg.Faults[fault].Span
	}
	if a == reception.Corrupted {
		d.Wrong = w.ask(q.To, ChoiceCorruption, reception.CorruptBits)
	}
	return d
}

// lossWeights are the weights of the fates where frames are lost with a probability.
func lossWeights(p float64) []uint32 {
	const all = 1<<32 - 1
	lost := uint32(min(p*(1<<32), all))
	return []uint32{reception.Delivered: all - lost, reception.Lost: lost, reception.NumFates - 1: 0}
}

var noStrike = []uint32{FaultNone: 1<<32 - 1, numStrikes - 1: 0}

// askFault asks what befalls a mote.
func (w *World) askFault(i int, allowed uint64) uint32 {
	return w.put(Choice{Kind: ChoiceFault, Mote: i, Options: numStrikes, Weights: noStrike, Allowed: allowed | 1<<FaultNone})
}

// BusyNotice is how long after the choice the channel becomes busy.
const BusyNotice = radio.MinLookahead

// decide is the point at which something may befall a mote: a frame has ended there, at this moment.
func (w *World) decide(i int, m *mote.Mote, at uint64) {
	per := &w.per[i]
	if !w.plan.frail[i] || per.off || per.strike != FaultNone || w.guided {
		return
	}
	reboot, outage := w.open(Reboot, i, at), w.open(Outage, i, at)
	var allowed uint64
	if reboot >= 0 {
		allowed |= 1 << FaultReboot
	}
	if outage >= 0 {
		allowed |= 1 << FaultOutage
	}
	busy := -1
	if m.Radio() != nil && !per.air.Disturbed() {
		busy = w.open(Busy, i, at)
	}
	if busy >= 0 {
		allowed |= 1 << FaultBusy
	}
	if allowed == 0 {
		return
	}
	a := w.askFault(i, allowed)
	switch a {
	case FaultNone:
		return
	case FaultBusy:
		w.used[busy]++
		per.air.Disturb(at+BusyNotice, at+BusyNotice+w.cfg.Faults[busy].Span)
		w.planAir(i)
		return
	case FaultReboot:
		w.used[reboot]++
	case FaultOutage:
		w.used[outage]++
		per.onAt = medium.Never
		if span := w.cfg.Faults[outage].Span; span > 0 {
			per.onAt = at + span
		}
	}
	per.strike = uint8(a)
	m.LosePower()
}
