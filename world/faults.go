package world

import (
	"motehound/mote"
	"motehound/world/medium"
)

// What can befall a mote, the options of ChoiceFault.
const (
	FaultNone   = iota
	FaultReboot // its power fails for a moment
	FaultOutage // its power fails for as long as the Fault says
	FaultLate   // it is switched on later than planned; by how much is the next ChoiceBoot
	numStrikes
)

// allows tells whether a fault may happen at a moment: its window is open, and some of its budget is left.
func (w *World) allows(f int, at uint64) bool {
	x := &w.cfg.Faults[f]
	return w.used[f] < x.Max && at >= x.After && (x.Until == 0 || at < x.Until)
}

// open finds a fault of a kind that may happen to a mote now, and whose budget is charged then: the first, or -1.
func (w *World) open(k FaultKind, i int, at uint64) int {
	for f := range w.cfg.Faults {
		if x := &w.cfg.Faults[f]; x.Kind == k && (x.Mote == Everyone || x.Mote == i) && w.allows(f, at) {
			return f
		}
	}
	return -1
}

// openFrame is open for a frame that reaches a mote from another one, by air or over a wire.
func (w *World) openFrame(k FaultKind, from, to, wire int, at uint64) int {
	for f := range w.cfg.Faults {
		x := &w.cfg.Faults[f]
		if x.Kind == k && x.Wire == wire && (x.Mote == Everyone || x.Mote == to) &&
			(x.To == None || x.From == from && x.To == to) && w.allows(f, at) {
			return f
		}
	}
	return -1
}

// Used is how often a fault of the Config has happened.
func (w *World) Used(fault int) uint32 { return w.used[fault] }

var fateFaults = [numFates]FaultKind{Lost: Lose, Corrupted: Corrupt, Duplicated: Duplicate, Delayed: Delay, Reordered: Reorder}

// fate asks what becomes of a frame at its receiver, and charges the budget of what goes wrong. Nature's own loss is free.
func (w *World) fate(k ChoiceKind, from, to, wire int, at uint64, loss float64) uint8 {
	c := Choice{Kind: k, Mote: to, Options: numFates, Weights: lossWeights(loss), Allowed: 1 << Delivered}
	if loss > 0 {
		c.Allowed |= 1 << Lost
	}
	var charge [numFates]int
	for fate := Lost; fate < numFates; fate++ {
		charge[fate] = -1
		if len(w.cfg.Faults) > 0 && c.Allowed>>fate&1 == 0 {
			if charge[fate] = w.openFrame(fateFaults[fate], from, to, wire, at); charge[fate] >= 0 {
				c.Allowed |= 1 << fate
			}
		}
	}
	a := w.put(c)
	if a != Delivered && charge[a] >= 0 {
		w.used[charge[a]]++
		w.span = w.cfg.Faults[charge[a]].Span
	}
	return uint8(a)
}

// lossWeights are the weights of the fates where frames are lost with a probability.
func lossWeights(p float64) []uint32 {
	const all = 1<<32 - 1
	lost := uint32(min(p*(1<<32), all))
	return []uint32{Delivered: all - lost, Lost: lost, numFates - 1: 0}
}

var noStrike = []uint32{1<<32 - 1, 0, 0, 0}

// askFault asks what befalls a mote.
func (w *World) askFault(i int, allowed uint64) uint32 {
	return w.put(Choice{Kind: ChoiceFault, Mote: i, Options: numStrikes, Weights: noStrike, Allowed: allowed | 1<<FaultNone})
}

// decide is the point at which a mote's power may fail: a frame has ended there, at this moment.
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
	if allowed == 0 {
		return
	}
	a := w.askFault(i, allowed)
	switch a {
	case FaultNone:
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
