package behavior

import (
	"encoding/binary"
	"maps"
	"slices"

	"motehound/observe/calltree"
	"motehound/observe/intervals"
)

// Miner turns the instances of a run into models, flows and interleavings. Instances of a mote come in order of their
// serials. Memory is bounded by the different behaviours, and 32 bytes for each step of the folded sequences.
type Miner struct {
	Cast    *Cast
	scope   Scope
	watched []uint16 // nil for all
	vectors map[uint16]*minedVector
	weaves  map[int]*weave
	sets    []modelSet
	setIDs  map[string]int32
	access  *accesses
	orders  map[orderKey]minedOrder
	rules   *ruleMiner
	asked   *requestMiner
	runs    int  // that have ended
	data    bool // Touch was called, or may have been
}

// minedOrder is a DataOrder whose models have not got their final names; those of main are nil.
type minedOrder struct {
	after, at *Model
}

// motesPerRun tells the motes of several runs apart: mote i of run r is r*motesPerRun + i.
const motesPerRun = 1 << 16

// minedVector is what is known of an interrupt.
type minedVector struct {
	sorter *sorter
	counts map[*Model]uint64
	motes  []int                // in order of appearance
	steps  map[int][]storedStep // by mote
	beats  map[int]*beat        // by mote
	seen   []bool               // by Node.ID: trees
	calls  bool                 // some instance did more than its handler by itself
	works  bool                 // ... more than what a clock does, see beat
}

// storedStep is a step with what interleaved it; sets are by number.
type storedStep struct {
	Step
	inside, before         int32
	moreInside, moreBefore int32 // of the instances that were folded into it
}

// NewMiner begins to mine. Flows are mined of the watched interrupts, nil for all; models of all.
func NewMiner(b *calltree.Book, p Scope, watched []uint16) *Miner {
	m := &Miner{Cast: newCast(b), scope: p, watched: watched, vectors: map[uint16]*minedVector{}, weaves: map[int]*weave{},
		setIDs: map[string]int32{}, orders: map[orderKey]minedOrder{}, rules: newRuleMiner(), asked: newRequestMiner()}
	m.access = newAccesses(func(after, at *touched) { m.orders[keyOf(after, at)] = minedOrder{after.model, at.model} })
	m.intern(nil)
	return m
}

// watches tells whether an interrupt's procedures and flows matter. What main does before its first task is up to each mote.
func (m *Miner) watches(vector uint16) bool {
	if slices.Contains(m.scope.Background, vector) {
		return false
	}
	if m.watched == nil {
		return vector != intervals.ResetVector
	}
	return slices.Contains(m.watched, vector)
}

// Touch reads the next touch of a variable. Those of an instance come before it.
func (m *Miner) Touch(t calltree.Touch) {
	t.Mote += m.runs * motesPerRun
	m.access.touch(t)
}

// Data reports whether Touch matters.
func (m *Miner) Data() bool { return m.data }

// NoData says that no variable's accesses are seen, as in a firmware without debug information.
func (m *Miner) NoData() { m.data = false }

// WatchData says that Touch will be called, should variables be touched: else nothing is known of them.
func (m *Miner) WatchData() { m.data = true }

// next ends a run: what comes is of another one of the same motes.
func (m *Miner) next() {
	for _, mote := range slices.Sorted(maps.Keys(m.weaves)) {
		m.weaves[mote].close()
	}
	clear(m.weaves)
	m.access.close()
	m.rules.next()
	m.asked.next()
	m.runs++
}

// Take reads the next instance. An incomplete one counts for nothing.
func (m *Miner) Take(x calltree.Instance) {
	x.Mote += m.runs * motesPerRun
	w := m.weaves[x.Mote]
	if w == nil {
		w = newWeave(m.step)
		m.weaves[x.Mote] = w
	}
	if !x.Complete {
		m.access.instance(&x, nil)
		w.take(&x, nil)
		return
	}
	v := m.vectors[x.Vector]
	if v == nil {
		v = &minedVector{sorter: newSorter(m.Cast, x.Vector, &m.scope), counts: map[*Model]uint64{}, steps: map[int][]storedStep{},
			beats: map[int]*beat{}}
		m.vectors[x.Vector] = v
	}
	model := v.sorter.take(x.Tree)
	v.counts[model]++
	v.beat(&x)
	m.access.instance(&x, model)
	m.rules.take(&x, slices.Contains(m.scope.Timers, x.Vector))
	m.asked.take(&x)
	if slices.Contains(m.scope.Background, x.Vector) {
		model = nil
	}
	w.take(&x, model)
}

// step stores a member of a model sequence.
func (m *Miner) step(x sequenceMember) {
	if !m.watches(x.Vector) {
		return
	}
	v := m.vectors[x.Vector]
	steps, known := v.steps[x.Mote]
	if !known {
		v.motes = append(v.motes, x.Mote)
	}
	inside, before := m.intern(x.Inside), m.intern(x.Before)
	if n := len(steps); n >= 2 && steps[n-1].Model == x.Model.Number && steps[n-2].Model == x.Model.Number {
		s := &steps[n-1]
		s.moreInside, s.moreBefore = m.union(s.moreInside, inside), m.union(s.moreBefore, before)
		return
	}
	v.steps[x.Mote] = append(steps, storedStep{Step: Step{x.Model.Number, x.Number, x.Start}, inside: inside, before: before})
}

// intern is the number of a set; 0 is the empty one.
func (m *Miner) intern(s modelSet) int32 {
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	key := make([]byte, 0, 8*len(s))
	for _, w := range s {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	id, ok := m.setIDs[string(key)]
	if !ok {
		id = int32(len(m.sets))
		m.setIDs[string(key)] = id
		m.sets = append(m.sets, slices.Clone(s))
	}
	return id
}

func (m *Miner) union(a, b int32) int32 {
	if a == b || b == 0 {
		return a
	}
	s := slices.Clone(m.sets[a])
	m.sets[b].each(s.add)
	return m.intern(s)
}

// MinedFlow is a flow with its interleavings.
type MinedFlow struct {
	Flow
	Main   bool // else a stretch of the run that is not made of the main flows
	Others []Interleaving
}

// Interleaving is a model of M(J) for a flow J, with an example.
type Interleaving struct {
	Model           *Model
	Inside, Between bool
	Mote            int
	At              Step // the flow's member that it interleaved, or that came after it
}

// MinedVector is what was mined of an interrupt.
type MinedVector struct {
	Vector  uint16
	Depth   Depth
	Watched bool
	// Background: it interleaves nobody. That was asked for, or it only counts: see beat.
	Background bool
	Models     []*Model
	Counts     []uint64 // of Models
	Steps      int      // length of the folded sequences
	Flows      []MinedFlow
	Rivals     []Flow // the best flows of what the main one leaves, to see why it is the main one
	Loose      bool   // too irregular: its flows are not to be checked
}

const (
	maxFlowSize = 256 // longest flow that is looked for
	maxOthers   = 32  // other stretches that are approved; with more there is no regular flow
	rivals      = 3
)

// Finish ends a run and says what was mined so far. Another run may follow.
func (m *Miner) Finish() []MinedVector {
	m.next()
	var all []MinedVector
	for _, n := range slices.Sorted(maps.Keys(m.vectors)) {
		v := m.vectors[n]
		out := MinedVector{Vector: n, Depth: m.scope.Of(n), Watched: m.watches(n), Models: v.sorter.models()}
		if m.counts(n) || slices.Contains(m.scope.Background, n) {
			// A clock that one day does more than count is news, if all interrupts are watched.
			out.Background, out.Watched = true, m.watched == nil && m.watches(n)
		}
		for _, model := range out.Models {
			out.Counts = append(out.Counts, v.counts[model])
		}
		if out.Watched && !out.Background {
			m.findFlows(v, &out)
		}
		all = append(all, out)
	}
	return all
}

// findFlows mines the flows of an interrupt. What the run did besides the main flow is approved with it: as stretches, or if
// those are many, with the flow's rivals as flows of their own.
func (m *Miner) findFlows(v *minedVector, out *MinedVector) {
	var seqs []Pattern
	for _, mote := range v.motes {
		var seq Pattern
		for _, s := range v.steps[mote] {
			seq = append(seq, s.Model)
		}
		seqs = append(seqs, seq)
		out.Steps += len(seq)
	}
	found := mineAll(seqs, maxFlowSize, rivals)
	for i := range found {
		found[i].root()
	}
	if len(found) == 0 {
		out.Loose = out.Watched
		return
	}
	out.Rivals = found[1:]
	flows := found[:1]
	others, ok := m.stretches(v, flows)
	if !ok && len(found) > 1 {
		flows = found
		others, ok = m.stretches(v, flows)
	}
	if !ok {
		out.Loose, others = true, nil
	}
	for i, f := range append(slices.Clone(flows), others...) {
		if i == 0 && len(f.Pattern) == 1 { // in the folded sequence many in a row are two
			f.Count = int(v.counts[m.Cast.Models[f.Pattern[0]]])
		}
		out.Flows = append(out.Flows, MinedFlow{Flow: f, Main: i < len(flows)})
	}
	m.findInterleavings(v, out)
}

// replay gives the stored sequences to acceptors.
func (m *Miner) replay(v *minedVector, flows []Pattern, prepare func(mote int, a *acceptor)) {
	for _, mote := range v.motes {
		a := newAcceptor(flows)
		prepare(mote, a)
		for _, s := range v.steps[mote] {
			a.take(s.Step, m.sets[s.inside], m.sets[s.before])
			if s.moreInside != 0 || s.moreBefore != 0 {
				a.run = 2 // a third of the same in a row
				a.take(s.Step, m.sets[s.moreInside], m.sets[s.moreBefore])
			}
		}
		a.close()
	}
}

// stretches finds what is not made of the flows. Stretches that are approved move where flows end, and with that where the
// start of a run is taken to be over; so it is looked again until the run is made of flows and stretches.
func (m *Miner) stretches(v *minedVector, flows []Flow) (others []Flow, ok bool) {
	for {
		found, short := m.breaks(v, flowPatterns(append(slices.Clone(flows), others...)))
		if others = append(others, found...); !short || len(others) > maxOthers {
			return nil, false
		}
		if len(found) == 0 {
			break
		}
	}
	total := 0
	for _, mote := range v.motes {
		total += len(v.steps[mote])
	}
	for i := range others {
		others[i].Share = float64(len(others[i].Pattern)*others[i].Count) / float64(total)
	}
	return others, true
}

// breaks is what is not made of flows, each once; short tells that none is too long to be approved.
func (m *Miner) breaks(v *minedVector, flows []Pattern) (found []Flow, short bool) {
	short = true
	m.replay(v, flows, func(_ int, a *acceptor) {
		a.broke = func(b sequenceBreak) {
			if b.More > 0 || len(found) > maxOthers {
				short = false
				return
			}
			var p Pattern
			for _, s := range b.Window {
				p = append(p, s.Model)
			}
			i := slices.IndexFunc(found, func(f Flow) bool { return slices.Equal(f.Pattern, p) })
			if i < 0 {
				i = len(found)
				found = append(found, Flow{Pattern: p})
			}
			found[i].Count++
		}
	})
	return found, short
}

func flowPatterns(flows []Flow) []Pattern {
	var list []Pattern
	for _, f := range flows {
		list = append(list, f.Pattern)
	}
	return list
}

// findInterleavings collects M(J) of all flows by following the run as a verification does.
func (m *Miner) findInterleavings(v *minedVector, out *MinedVector) {
	var list []Pattern
	for _, f := range out.Flows {
		list = append(list, f.Pattern)
	}
	m.replay(v, list, func(mote int, a *acceptor) {
		a.interleaved = func(flows []int, model int32, inside bool, at Step) {
			if m.counts(m.Cast.Models[model].Vector) {
				return
			}
			f := &out.Flows[flows[0]]
			i := slices.IndexFunc(f.Others, func(o Interleaving) bool { return o.Model.Number == model })
			if i < 0 {
				i = len(f.Others)
				f.Others = append(f.Others, Interleaving{Model: m.Cast.Models[model], Mote: mote, At: at})
			}
			f.Others[i].Inside = f.Others[i].Inside || inside
			f.Others[i].Between = f.Others[i].Between || !inside
		}
	})
}
