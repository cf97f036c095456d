package mining

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"motehound/observe/intervals"
	"motehound/study/outlier"
)

// Pack gives the intervals of one run, and what became of data in it, as bytes: for Take, which may be in another process. Timelines are left out.
func (c *Collection) Pack() []byte {
	var to bytes.Buffer
	w, _ := flate.NewWriter(&to, flate.BestSpeed) // the level is a valid one
	x := carrier{writes: true}
	x.number(&c.n)
	for iv := range c.All() {
		x.interval(iv)
	}
	x.places(c.Losses)
	w.Write(x.data) // into memory: nothing can fail
	w.Close()
	return to.Bytes()
}

// Take adds what Pack gave, as a run. Runs that are taken in their order give what Watch gives of them one after the other, unless a byte has more
// writers or readers than are told apart: what those share may be counted otherwise.
func (c *Collection) Take(packed []byte, run int) (err error) {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return fmt.Errorf("packed intervals: %w", err)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("packed intervals: %v", r)
		}
	}()
	x := carrier{data: data, run: uint32(run)}
	n := 0
	x.number(&n)
	for range n {
		iv := Interval{Run: run}
		x.interval(&iv)
		c.Keep(&iv)
	}
	x.places(c.Losses)
	return nil
}

// carrier writes or reads numbers, each in the place that it is given: one description serves both.
type carrier struct {
	data   []byte // written, or still to be read
	writes bool
	run    uint32 // that is read
}

var errShort = errors.New("they end too early")

func (x *carrier) word(n uint64) uint64 {
	if x.writes {
		x.data = binary.AppendUvarint(x.data, n)
		return n
	}
	n, size := binary.Uvarint(x.data)
	if size <= 0 {
		panic(errShort)
	}
	x.data = x.data[size:]
	return n
}

func (x *carrier) number(n *int) { *n = int(x.word(uint64(*n))) }

// carry carries numbers of one type.
func carry[T ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int32 | ~int](x *carrier, list ...*T) {
	for _, p := range list {
		*p = T(x.word(uint64(*p)))
	}
}

func (x *carrier) flags(list ...*bool) {
	for _, p := range list {
		n := uint64(0)
		if *p {
			n = 1
		}
		*p = x.word(n) != 0
	}
}

// carryAll carries a list.
func carryAll[T any](x *carrier, list *[]T, each func(*T)) {
	n := len(*list)
	x.number(&n)
	if !x.writes {
		if n < 0 || n > len(x.data) {
			panic(errShort)
		}
		if *list = nil; n > 0 {
			*list = make([]T, n)
		}
	}
	for i := range *list {
		each(&(*list)[i])
	}
}

func (x *carrier) interval(iv *Interval) {
	carry(x, &iv.Vector, &iv.ID)
	carry(x, &iv.Instance)
	carry(x, &iv.Serial, &iv.Start, &iv.End, &iv.StartItem, &iv.EndItem, &iv.Ran)
	carry(x, &iv.Mote, &iv.Nested, &iv.Posts, &iv.Failed, &iv.MoreTasks, &iv.MoreSpans)
	x.flags(&iv.Complete)
	carryAll(x, &iv.Tasks, func(t *intervals.Task) {
		carry(x, &t.ID, &t.Depth)
		carry(x, &t.Parent)
		carry(x, &t.State)
		carry(x, &t.Posted, &t.Start, &t.End, &t.PostItem, &t.RunItem, &t.EndItem)
	})
	carryAll(x, &iv.Spans, func(s *intervals.Span) { carry(x, &s.From, &s.To) })
	counts := []outlier.Count(iv.Counts)
	carryAll(x, &counts, func(c *outlier.Count) { carry(x, &c.Feature, &c.N) })
	iv.Counts = counts
}

// places carries what became of data.
func (x *carrier) places(l *LossTracker) {
	if l == nil {
		return
	}
	n := 0
	for i := range l.places {
		if l.places[i].habits != nil {
			n++
		}
	}
	x.number(&n)
	if x.writes {
		for i := range l.places {
			if l.places[i].habits != nil {
				x.number(&i)
				x.place(&l.places[i])
			}
		}
		return
	}
	for range n {
		i := 0
		x.number(&i)
		var p place
		x.place(&p)
		l.places[i].add(&p, uint16(i))
	}
}

func (x *carrier) place(p *place) {
	carry(x, &p.values[0], &p.values[1], &p.values[2], &p.values[3])
	carryAll(x, &p.habits, func(h **habit) {
		if *h == nil {
			*h = new(habit)
		}
		x.habit(*h)
	})
	for i := range p.habits {
		carry(x, &p.writers[i])
	}
}

func (x *carrier) habit(h *habit) {
	carry(x, &h.slowest)
	carry(x, &h.carried, &h.same, &h.waiting)
	carry(x, &h.value)
	x.flags(&h.known, &h.varies)
	for i := range h.read {
		carry(x, &h.read[i])
	}
	for i := range h.readers {
		x.readers(&h.readers[i])
		carryAll(x, &h.others[i], x.readers)
		carryAll(x, &h.doubts[i], x.lost)
	}
	carryAll(x, &h.open, func(u *unread) {
		x.lost(&u.lostValue)
		carry(x, &u.first)
		carry(x, &u.n)
	})
}

func (x *carrier) readers(r *readers) {
	x.actor(&r.who)
	carry(x, &r.n)
}

func (x *carrier) lost(v *lostValue) {
	carry(x, &v.Mote)
	x.access(&v.Wrote)
	x.access(&v.Over)
	x.access(&v.handled)
	carry(x, &v.Reads, &v.after)
	x.flags(&v.never)
	if !x.writes {
		v.Run = x.run
	}
}

func (x *carrier) access(a *access) {
	carry(x, &a.Cycle)
	carry(x, &a.PC)
	x.actor(&a.by)
}

func (x *carrier) actor(a *actor) {
	carry(x, &a.serial)
	carry(x, &a.vector, &a.task)
}

// add adds what is known of the same byte from a later run.
func (p *place) add(o *place, address uint16) {
	for i := range p.values {
		p.values[i] |= o.values[i]
	}
	for i, h := range o.habits {
		p.habit(o.writers[i]).add(h, address)
	}
}

// add adds what the same instruction has done in a later run.
func (h *habit) add(o *habit, address uint16) {
	h.slowest = max(h.slowest, o.slowest)
	h.carried += o.carried
	h.same += o.same
	h.waiting += o.waiting
	h.varies = h.varies || o.varies || h.known && o.known && h.value != o.value
	if o.known {
		h.value, h.known = o.value, true
	}
	for i := range h.read {
		h.read[i] += o.read[i]
	}
	for i := range h.readers {
		for _, r := range append([]readers{o.readers[i]}, o.others[i]...) {
			if r.n > 0 {
				h.count(uint8(i), r.who, r.n)
			}
		}
		for _, v := range o.doubts[i][:min(len(o.doubts[i]), mostDoubts-len(h.doubts[i]))] {
			v.Address = address
			h.doubts[i] = append(h.doubts[i], v)
		}
	}
	for _, u := range o.open {
		u.Address = address
		h.open = append(h.open, u)
	}
}
