package calltree

import (
	"slices"

	"motehound/observe/intervals"
)

// desk is where the instances of a mote lie until they are complete.
type desk struct {
	open  []*record // those that are wanted; there are few
	ended []ending  // to be told after the item that ended them
	log   []uint64  // serials of what executed, one after the other
	first uint64    // how many are no longer in log
	queue []uint64  // serials in order of start, for Options.ByStart
	done  map[uint64]Instance
	spare []*record
}

// ending is an interval that has ended.
type ending struct {
	vector     uint16
	number     uint32
	serial     uint64
	start, end uint64
	complete   bool
}

// record is what is gathered of an open instance.
type record struct {
	serial uint64
	roots  []*Node // layer 1, in order of start
	since  uint64  // what had executed when it began
	more   bool
}

func (r *record) add(n *Node) {
	if len(r.roots) < maxCalls {
		r.roots = append(r.roots, n)
	} else {
		r.more = true
	}
}

// find gives the record of an open instance, nil if it is not wanted.
func (d *desk) find(serial uint64) *record {
	for i := len(d.open) - 1; i >= 0; i-- {
		if d.open[i].serial == serial {
			return d.open[i]
		}
	}
	return nil
}

// executes notes which instance executes.
func (d *desk) executes(serial uint64) {
	if len(d.open) == 0 {
		d.first += uint64(len(d.log))
		d.log = d.log[:0]
		return
	}
	if n := len(d.log); n > 0 && d.log[n-1] == serial {
		return
	}
	if len(d.log) == 2*maxWithin {
		d.first += maxWithin
		d.log = d.log[:copy(d.log, d.log[maxWithin:])]
	}
	d.log = append(d.log, serial)
}

// within lists the instances that executed since one began; all is false if it is not known of all.
func (d *desk) within(self, since uint64) (serials []uint64, all bool) {
	all = since >= d.first
	for _, s := range d.log[max(since, d.first)-d.first:] {
		if s != self {
			serials = append(serials, s)
		}
	}
	slices.Sort(serials)
	return slices.Compact(serials), all
}

// started makes room for an instance that is wanted.
func (t *tracker) started(iv *intervals.Interval) {
	o := &t.h.opt
	if o.Vectors != nil && !slices.Contains(o.Vectors, iv.Vector) || t.m.Time() < o.Skip {
		return
	}
	d := &t.desk
	r := reused(&d.spare)
	*r = record{serial: iv.Serial, roots: r.roots[:0], since: d.first + uint64(len(d.log))}
	d.open = append(d.open, r)
	if o.ByStart && iv.Vector != intervals.ResetVector {
		d.queue = append(d.queue, iv.Serial)
	}
}

// reused is one of those that are no longer needed, or a new one.
func reused[T any](spare *[]*T) *T {
	n := len(*spare)
	if n == 0 {
		return new(T)
	}
	x := (*spare)[n-1]
	*spare = (*spare)[:n-1]
	return x
}

// dropped forgets an instance. It is that of main, at the bottom of the stack.
func (t *tracker) dropped(iv *intervals.Interval) {
	d := &t.desk
	r := d.find(iv.Serial)
	if r == nil {
		return
	}
	d.open = slices.DeleteFunc(d.open, func(o *record) bool { return o == r })
	d.spare = append(d.spare, r)
	d.queue = slices.DeleteFunc(d.queue, func(serial uint64) bool { return serial == iv.Serial })
	for _, c := range t.stack {
		if c.record == r {
			t.forgetData(c)
			c.record = nil
		}
	}
}

// restarted makes the instance of a round that of the next one.
func (t *tracker) restarted(iv *intervals.Interval) {
	t.anew = true
	c := t.ctx
	t.forgetData(c)
	c.way, c.visits, c.frames, c.root, c.deep = c.way[:0], c.visits[:0], c.frames[:0], nil, false
	if c.record == nil {
		t.started(iv)
		c.record = t.desk.find(iv.Serial)
		return
	}
	c.record.roots, c.record.more, c.record.since = c.record.roots[:0], false, t.desk.first+uint64(len(t.desk.log))
}

// ended keeps what is needed of an interval until its trees are complete too.
func (t *tracker) ended(iv *intervals.Interval) {
	t.desk.ended = append(t.desk.ended, ending{iv.Vector, iv.Instance, iv.Serial, iv.Start, iv.End, iv.Complete})
}

// tell hands over what has ended.
func (t *tracker) tell() {
	d := &t.desk
	for i := range d.ended {
		iv := &d.ended[i]
		r := d.find(iv.serial)
		if r == nil {
			continue
		}
		at := slices.Index(d.open, r)
		d.open = slices.Delete(d.open, at, at+1)
		x := t.instance(iv, r)
		d.spare = append(d.spare, r)
		if t.h.opt.ByStart && iv.vector != intervals.ResetVector {
			if d.done == nil {
				d.done = map[uint64]Instance{}
			}
			d.done[iv.serial] = x
			continue
		}
		t.h.sink(x)
	}
	d.ended = d.ended[:0]
	for len(d.queue) > 0 {
		x, ok := d.done[d.queue[0]]
		if !ok {
			return
		}
		delete(d.done, d.queue[0])
		d.queue = d.queue[1:]
		t.h.sink(x)
	}
}

func (t *tracker) instance(iv *ending, r *record) Instance {
	if r.more {
		t.stats.Cut++
		r.roots = append(r.roots, t.ellipsis())
	}
	x := Instance{Mote: t.number, Vector: iv.vector, Number: iv.number, Serial: iv.serial, Start: iv.start, End: iv.end,
		Complete: iv.complete, Tree: t.h.root(r.roots)}
	all := false
	if x.Within, all = t.desk.within(iv.serial, r.since); !all {
		t.stats.Unsure++
	}
	return x
}
