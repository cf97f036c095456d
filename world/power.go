package world

import (
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/world/medium"
)

// nextAct is when the Config, or the end of an outage, does something to a mote next.
func (w *World) nextAct(i int) (at uint64, ok bool) {
	per := &w.per[i]
	at = per.onAt
	if acts := w.plan.acts[i]; int(per.acts) < len(acts) {
		at = min(at, acts[per.acts].at)
	}
	return at, at != medium.Never
}

// runMote runs one mote to a moment, through what happens to it on the way; or to where it must wait for its turn.
func (w *World) runMote(i int, ps uint64) {
	for {
		at, ok := w.nextAct(i)
		if !ok || at > ps {
			if w.runStraight(i, ps) {
				continue
			}
			return
		}
		if w.runStraight(i, at) {
			continue
		}
		if w.turns.waiting(i) {
			return
		}
		w.act(i, at)
	}
}

// runStraight runs a mote to a moment. If its power fails before, that happens, and the answer is true.
func (w *World) runStraight(i int, ps uint64) (struck bool) {
	per := &w.per[i]
	if per.off {
		w.passBy(i, ps)
		return false
	}
	if ps > per.boot {
		w.motes[i].RunUntil(ps - per.boot)
	}
	if per.strike == FaultNone {
		return false
	}
	reboot := per.strike == FaultReboot
	per.strike = FaultNone
	if reboot {
		w.powerCycle(i)
	} else {
		w.powerOff(i)
	}
	return true
}

// act does to a mote what is due.
func (w *World) act(i int, at uint64) {
	per, m := &w.per[i], w.motes[i]
	local := max(at, per.boot) - per.boot
	if per.onAt == at {
		w.powerOn(i, local)
		return
	}
	a := &w.plan.acts[i][per.acts]
	per.acts++
	if a.kind == actKind(SetPin) {
		if !per.off { // a mote that is off takes no time
			m.SkipTo(local)
		}
		m.SetInput(a.pin, a.drive)
		return
	}
	if a.kind >= actHold {
		w.hold(i)
		return
	}
	if per.off {
		switch a.kind {
		case actKind(PowerOn):
			w.powerOn(i, local)
		case actKind(PowerOff):
			per.onAt = medium.Never // this outage lasts longer than the one that a choice made
		}
		return
	}
	m.SkipTo(local)
	switch a.kind {
	case actReset:
		m.Reset(mcu.External)
	case actKind(PowerCycle):
		w.powerCycle(i)
	case actKind(PowerOff):
		w.powerOff(i)
	case actKind(SetVar):
		w.set(i, m, a.set)
	case actKind(HearFrame):
		w.hearStranger(i, a.frame)
	case actPoke:
		for k, b := range a.frame {
			m.Memory().StoreByte(uint32(a.addr)+uint32(k), b)
		}
	}
}

// set gives a variable its value. Where a pointer on the way is null nothing is written, and a Notice says so.
func (w *World) set(i int, m *mote.Mote, s setting) {
	if err := s.ref.Write(m.Memory(), s.value); err != nil {
		for _, f := range w.observe.notice {
			f(i, mcu.Note{Text: "is not set: " + err.Error(), PC: m.Core().PC, Cycles: m.Cycles()})
		}
	}
}

// reached sets a mote's variables when it reaches main for the first time since a reset.
func (w *World) reached(i int, m *mote.Mote, pc uint32) {
	vars := w.plan.vars[i]
	if len(vars) == 0 || w.per[i].started == m.Resets() || w.plan.start(m.Kind).main != pc {
		return
	}
	w.per[i].started = m.Resets()
	for _, s := range vars {
		w.set(i, m, s)
	}
}

func (w *World) powerCycle(i int) {
	w.per[i].off = true // what its radio does meanwhile is no decision point
	w.motes[i].PowerCycle()
	w.per[i].off = false
	w.per[i].air.Deafen()
	w.planAir(i)
}

func (w *World) powerOff(i int) {
	w.per[i].off = true
	w.motes[i].PowerOff()
	w.per[i].air.Deafen()
	w.stale(i)
}

// powerOn gives a mote its power back, at a moment since its boot.
func (w *World) powerOn(i int, local uint64) {
	w.per[i].off, w.per[i].onAt = false, medium.Never
	w.motes[i].PowerUp(local)
	w.planAir(i)
	w.planLines(i)
}

// passBy lets signals pass that reach a mote without power, up to a moment: it learns nothing of them but which carriers
// are on when its power comes back.
func (w *World) passBy(i int, ps uint64) {
	a, l := &w.per[i].air, &w.per[i].lines
	for len(a.Inbox) > 0 && a.Inbox[0].At <= ps {
		w.hear(i)
	}
	for len(l.Inbox) > 0 && l.Inbox[0].At <= ps {
		l.Take((*receiver)(&w.per[i].env))
	}
	w.planAir(i)
	w.planLines(i)
}
