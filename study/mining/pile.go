package mining

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"

	"motehound/observe/intervals"
	"motehound/study/outlier"
)

// pile keeps the intervals of one interrupt in little memory: a radio's bytes make thousands of them in a second. An interval is
// written down as what differs from the one before of the same mote, and that is compressed. They are read from the first to the last.
type pile struct {
	vector uint16
	n      int
	set    outlier.Set // of the counters
	task   []int       // by sample: the first task of the first interval, from 1 on; 0 for none
	last   before
	raw    []byte   // not yet compressed
	packed [][]byte // compressed, each what raw was
}

// packAt is how many bytes are compressed together.
const packAt = 1 << 16

// before is what the next interval differs from.
type before struct {
	seq   int            // which interval of the collection, from 0
	index map[origin]int // in motes
	motes []beforeOnMote
}

// beforeOnMote is the last interval of a mote in a run.
type beforeOnMote struct {
	origin
	id           uint16
	instance     uint32
	serial       uint64
	start, items uint64
}

func newBefore() before { return before{seq: -1, index: map[origin]int{}} }

// What an interval has besides what all have.
const (
	hasInstance = 1 << iota // it is not the next one
	hasSerial
	hasItems
	hasPauses // it did not execute all the time
	hasTasks
	hasNested
	hasMore // what is rare
)

// add writes an interval down, the seq-th of its collection. Its Tag is left out.
func (p *pile) add(iv *Interval, seq int, pack *packer) error {
	sample, err := p.set.Add(iv.Counts)
	if err != nil {
		return err
	}
	if sample == len(p.task) {
		p.task = append(p.task, firstTask(iv))
	}
	w := writer{p.raw}
	w.number(uint64(seq - p.last.seq - 1))
	p.last.seq = seq
	o := origin{iv.Run, iv.Mote}
	at, known := p.last.index[o]
	if !known {
		at = len(p.last.motes)
	}
	w.number(uint64(at))
	if !known {
		w.number(uint64(o.run))
		w.number(uint64(o.mote))
		w.number(uint64(iv.ID))
		p.last.begin(o, iv.ID)
	}
	w.number(uint64(sample))
	w.interval(iv, &p.last.motes[at])
	p.raw = w.to
	p.n++
	if len(p.raw) >= packAt {
		p.packed, p.raw = append(p.packed, pack.pack(p.raw)), p.raw[:0]
	}
	return nil
}

func firstTask(iv *Interval) int {
	if len(iv.Tasks) == 0 {
		return 0
	}
	return int(iv.Tasks[0].ID) + 1
}

// begin adds a mote.
func (b *before) begin(o origin, id uint16) {
	b.index[o] = len(b.motes)
	b.motes = append(b.motes, beforeOnMote{origin: o, id: id})
}

// take makes an interval the last one.
func (b *beforeOnMote) take(iv *Interval) {
	b.instance, b.serial, b.start, b.items = iv.Instance, iv.Serial, iv.Start, iv.EndItem
}

// packer compresses.
type packer struct {
	w  *flate.Writer
	to bytes.Buffer
}

func (p *packer) pack(raw []byte) []byte {
	p.to.Reset()
	if p.w == nil {
		p.w, _ = flate.NewWriter(nil, flate.BestSpeed) // the level is a valid one
	}
	p.w.Reset(&p.to)
	p.w.Write(raw) // into memory: nothing can fail
	p.w.Close()
	return bytes.Clone(p.to.Bytes())
}

// writer writes numbers, small ones in a byte.
type writer struct{ to []byte }

func (w *writer) number(n uint64) { w.to = binary.AppendUvarint(w.to, n) }

// change writes a difference, which may be below 0.
func (w *writer) change(n uint64) { w.to = binary.AppendVarint(w.to, int64(n)) }

func (w *writer) interval(iv *Interval, b *beforeOnMote) {
	has := uint64(0)
	mark := func(bit uint64, is bool) {
		if is {
			has |= bit
		}
	}
	long := iv.End - iv.Start
	mark(hasInstance, iv.Instance != b.instance+1)
	mark(hasSerial, iv.Serial != b.serial+1)
	mark(hasItems, iv.StartItem != b.items+1 || iv.EndItem != iv.StartItem+1)
	mark(hasPauses, iv.Ran != long)
	mark(hasTasks, len(iv.Tasks) > 0)
	mark(hasNested, iv.Nested != 0)
	mark(hasMore, !iv.Complete || iv.Posts != len(iv.Tasks) || iv.Failed != 0 || iv.MoreTasks != 0 || iv.MoreSpans != 0 || iv.Spans != nil || iv.Timeline != nil)
	w.number(has)
	w.change(iv.Start - b.start)
	w.change(long)
	if has&hasInstance != 0 {
		w.change(uint64(iv.Instance) - uint64(b.instance))
	}
	if has&hasSerial != 0 {
		w.change(iv.Serial - b.serial)
	}
	if has&hasItems != 0 {
		w.change(iv.StartItem - b.items)
		w.change(iv.EndItem - iv.StartItem)
	}
	if has&hasPauses != 0 {
		w.change(long - iv.Ran)
	}
	if has&hasTasks != 0 {
		w.tasks(iv)
	}
	if has&hasNested != 0 {
		w.number(uint64(iv.Nested))
	}
	if has&hasMore != 0 {
		w.more(iv)
	}
	b.take(iv)
}

func (w *writer) tasks(iv *Interval) {
	w.number(uint64(len(iv.Tasks)))
	for i := range iv.Tasks {
		t := &iv.Tasks[i]
		w.number(uint64(t.ID))
		w.number(uint64(t.Depth))
		w.change(uint64(t.Parent))
		w.number(uint64(t.State))
		w.change(t.Posted - iv.Start)
		w.change(t.Start - t.Posted)
		w.change(t.End - t.Start)
		w.change(t.PostItem - iv.StartItem)
		w.change(t.RunItem - t.PostItem)
		w.change(t.EndItem - t.RunItem)
	}
}

func (w *writer) more(iv *Interval) {
	complete := uint64(0)
	if iv.Complete {
		complete = 1
	}
	w.number(complete)
	w.number(uint64(iv.Posts))
	w.number(uint64(iv.Failed))
	w.number(uint64(iv.MoreTasks))
	w.number(uint64(iv.MoreSpans))
	w.number(uint64(len(iv.Spans)))
	for _, s := range iv.Spans {
		w.change(s.From - iv.Start)
		w.change(s.To - s.From)
	}
	w.number(uint64(len(iv.Timeline)))
	for i := range iv.Timeline {
		s := &iv.Timeline[i]
		flags := uint64(0)
		if s.Own {
			flags |= 1
		}
		if s.Running {
			flags |= 2
		}
		w.number(flags)
		w.change(s.From - iv.Start)
		w.change(s.To - s.From)
		w.number(uint64(s.Vector))
		w.number(uint64(s.Instance))
		w.change(s.Serial - iv.Serial)
		w.number(uint64(s.Task))
		w.number(uint64(s.Depth))
	}
}

// reader reads a pile.
type reader struct {
	p      *pile
	before before
	next   int // packed
	data   []byte
	plain  bytes.Buffer
	flate  io.ReadCloser
	left   int
	seq    int
	sample int
	iv     Interval // the last one that was read; its lists are used again
}

func (p *pile) read() *reader { return &reader{p: p, before: newBefore(), left: p.n} }

// more reads the next interval, if there is one.
func (r *reader) more() bool {
	if r.left == 0 {
		return false
	}
	r.left--
	if len(r.data) == 0 {
		r.fill()
	}
	r.before.seq += int(r.number()) + 1
	at := int(r.number())
	if at == len(r.before.motes) {
		o := origin{int(r.number()), int(r.number())}
		r.before.begin(o, uint16(r.number()))
	}
	r.seq, r.sample = r.before.seq, int(r.number())
	b := &r.before.motes[at]
	iv := &r.iv
	iv.Interval = intervals.Interval{Vector: r.p.vector, Complete: true, Tasks: iv.Tasks[:0]}
	iv.Run, iv.Mote, iv.ID, iv.Counts, iv.Timeline = b.run, b.mote, b.id, r.p.set.Samples()[r.sample].Counts, nil
	r.interval(iv, b)
	return true
}

// fill unpacks what comes next.
func (r *reader) fill() {
	if r.next == len(r.p.packed) {
		r.data = r.p.raw
		return
	}
	from := bytes.NewReader(r.p.packed[r.next])
	r.next++
	if r.flate == nil {
		r.flate = flate.NewReader(from)
	} else if err := r.flate.(flate.Resetter).Reset(from, nil); err != nil {
		panic("BUG: packed intervals: " + err.Error())
	}
	r.plain.Reset()
	if _, err := r.plain.ReadFrom(r.flate); err != nil {
		panic("BUG: packed intervals: " + err.Error())
	}
	r.data = r.plain.Bytes()
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.data)
	if size <= 0 {
		panic("BUG: packed intervals end in the middle of one")
	}
	r.data = r.data[size:]
	return n
}

func (r *reader) change() uint64 {
	n := r.number()
	return n>>1 ^ -(n & 1)
}

func (r *reader) interval(iv *Interval, b *beforeOnMote) {
	has := r.number()
	iv.Start = b.start + r.change()
	iv.End = iv.Start + r.change()
	iv.Instance, iv.Serial, iv.StartItem = b.instance+1, b.serial+1, b.items+1
	if has&hasInstance != 0 {
		iv.Instance = b.instance + uint32(r.change())
	}
	if has&hasSerial != 0 {
		iv.Serial = b.serial + r.change()
	}
	iv.EndItem = iv.StartItem + 1
	if has&hasItems != 0 {
		iv.StartItem = b.items + r.change()
		iv.EndItem = iv.StartItem + r.change()
	}
	iv.Ran = iv.End - iv.Start
	if has&hasPauses != 0 {
		iv.Ran -= r.change()
	}
	if has&hasTasks != 0 {
		r.tasks(iv)
	}
	iv.Posts = len(iv.Tasks)
	if has&hasNested != 0 {
		iv.Nested = int(r.number())
	}
	if has&hasMore != 0 {
		r.rest(iv)
	}
	b.take(iv)
}

func (r *reader) tasks(iv *Interval) {
	for range r.number() {
		t := intervals.Task{ID: uint16(r.number()), Depth: uint16(r.number()), Parent: int32(r.change()), State: intervals.State(r.number())}
		t.Posted = iv.Start + r.change()
		t.Start = t.Posted + r.change()
		t.End = t.Start + r.change()
		t.PostItem = iv.StartItem + r.change()
		t.RunItem = t.PostItem + r.change()
		t.EndItem = t.RunItem + r.change()
		iv.Tasks = append(iv.Tasks, t)
	}
}

func (r *reader) rest(iv *Interval) {
	iv.Complete = r.number() != 0
	iv.Posts, iv.Failed, iv.MoreTasks, iv.MoreSpans = int(r.number()), int(r.number()), int(r.number()), int(r.number())
	for range r.number() {
		from := iv.Start + r.change()
		iv.Spans = append(iv.Spans, intervals.Span{From: from, To: from + r.change()})
	}
	for range r.number() {
		flags := r.number()
		s := Step{Own: flags&1 != 0, From: iv.Start + r.change()}
		s.To = s.From + r.change()
		s.Active = intervals.Active{Running: flags&2 != 0, Vector: uint16(r.number()), Instance: uint32(r.number()), Serial: iv.Serial + r.change(),
			Task: uint16(r.number()), Depth: uint16(r.number())}
		iv.Timeline = append(iv.Timeline, s)
	}
}

// clone copies the interval that was read last.
func (r *reader) clone() *Interval {
	c := r.iv
	c.Interval = *r.iv.Clone()
	return &c
}
