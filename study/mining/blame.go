package mining

import (
	"cmp"
	"slices"
)

// blame says in which intervals of a ranking data went astray: losses by index of the suspect, which follow each other by
// address. Only the intervals of the ranking's interrupt are looked at. There are three ways to lose data:
//
//   - It is overwritten while others wait for it, and they get old and new data together. The intervals are to blame that
//     waited meanwhile or, if none did, the one that overwrote it.
//   - It is passed over: the task that usually is the next to read such values ran, and did not. Its interval is to blame; the
//     writer's own, if that usually reads them itself; and if a handler usually does, that of the last task which looked at the
//     rest of the variable.
//   - It is forgotten: from some value on, nothing is read any more until the end of the run. The interval is to blame that
//     wrote the first of those. A mote that never read any may have another role than those that do, and ignore what its radio
//     hears; what its own application makes should be used.
//
// In the last two, only intervals in which the application itself ran are to blame: what it never got to see it cannot lose.
//
// What is made and replaced by something newer before anyone needed it is in nobody's interval, and so no symptom.
func (c *Collection) blame(r *Ranking, losses []lostValue) map[int][]lostValue {
	byMote := map[origin][]int{} // suspects, by start
	for i, s := range r.Suspects {
		o := origin{s.Run, s.Mote}
		byMote[o] = append(byMote[o], i)
	}
	for _, list := range byMote {
		slices.SortFunc(list, func(a, b int) int { return cmp.Compare(r.Suspects[a].Start, r.Suspects[b].Start) })
	}
	blamed := map[int][]lostValue{}
	for _, x := range losses {
		of := ofMote{c.Firmware, r.Suspects, byMote[origin{int(x.Run), int(x.Mote)}]}
		for _, i := range of.toBlame(x, r.Vector) {
			blamed[i] = append(blamed[i], x)
		}
	}
	return blamed
}

// origin is where an interval or a loss comes from.
type origin struct{ run, mote int }

// ofMote is the suspects of one mote in one run, by start.
type ofMote struct {
	field    *Firmware
	suspects []Suspect
	indices  []int
}

func (m ofMote) toBlame(x lostValue, vector uint16) []int {
	switch {
	case x.never && !m.field.isOwn(x.Wrote.PC):
		return nil
	case x.Over.PC == 0:
		return m.byApplication(m.wrote(x.Wrote))
	case x.Mixed:
		return m.during(x.Over)
	case x.Over.PC != x.Wrote.PC: // another use of the place, not the next data
		return nil
	case x.reader.task == 0:
		return m.byApplication(m.letGo(x))
	case x.reader.serial == own:
		return m.byApplication(m.wrote(x.Wrote))
	case x.reader.vector == vector:
		return m.byApplication(m.passedOver(x))
	}
	return nil
}

// byApplication leaves the intervals in which code of the application ran. A driver that throws away what is damaged, or meant for
// another mote, does its job, and so does one that has nothing more to send.
func (m ofMote) byApplication(all []int) []int {
	return slices.DeleteFunc(all, func(i int) bool { return !m.field.ranOwn(m.suspects[i].Counts) })
}

// letGo is the interval of the task that was the last to look at other bytes of the same variable: it should have passed the
// value on, to a handler that sends it for instance. Whoever wrote or replaced the value has not let it go but tries again.
func (m ofMote) letGo(x lostValue) []int {
	if h := x.handled; x.Reads == 0 && h.Cycle > x.Wrote.Cycle && h.by.serial != x.Wrote.by.serial && h.by.serial != x.Over.by.serial {
		return m.wrote(h)
	}
	return nil
}

// passedOver is the first interval after the value was written in which the task ran that usually reads it.
func (m ofMote) passedOver(x lostValue) []int {
	for _, i := range m.indices {
		s := &m.suspects[i]
		if s.End < x.Wrote.Cycle {
			continue
		}
		if s.Start > x.Over.Cycle {
			break
		}
		for _, t := range s.Tasks {
			if t.ID+1 == x.reader.task && t.Start > x.Wrote.Cycle && t.Start < x.Over.Cycle {
				return []int{i}
			}
		}
	}
	return nil
}

// during are the intervals that waited during an access, or else the one of the instance that made it.
func (m ofMote) during(a access) (all []int) {
	for _, i := range m.indices {
		if s := &m.suspects[i]; s.Start <= a.Cycle && a.Cycle <= s.End && uint32(s.Serial+1) != a.by.serial {
			all = append(all, i)
		}
	}
	if all == nil {
		return m.wrote(a)
	}
	return all
}

// wrote is the interval of the instance that accessed something.
func (m ofMote) wrote(a access) []int {
	for _, i := range m.indices {
		if uint32(m.suspects[i].Serial+1) == a.by.serial {
			return []int{i}
		}
	}
	return nil
}

// byEvidence puts the suspects first that stand out, and of those the ones with mixed data, else in the detector's order. Of the others
// those stay that are to be listed.
func (r *Ranking) byEvidence(listed int) {
	weight := func(s Suspect) int {
		switch {
		case slices.ContainsFunc(s.Lost, func(l Lost) bool { return l.Mixed }):
			return 0
		case s.StandsOut:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(r.Suspects, func(a, b Suspect) int { return cmp.Compare(weight(a), weight(b)) })
	var ahead []int // where those that stand out were
	for i := range r.Suspects {
		s := &r.Suspects[i]
		if s.StandsOut {
			ahead = append(ahead, s.Rank)
			s.Rank = i + 1
			continue
		}
		if i == len(ahead) {
			slices.Sort(ahead)
		}
		before, _ := slices.BinarySearch(ahead, s.Rank)
		s.Rank += len(ahead) - before
	}
	r.Suspects = slices.DeleteFunc(r.Suspects, func(s Suspect) bool { return s.Rank > listed && !s.StandsOut && !s.first })
	r.Suspects = slices.Clip(r.Suspects)
}
