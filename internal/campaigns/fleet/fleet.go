package main

import (
	"container/heap"
	"context"
	"math"
	"math/rand/v2"

	"motehound/job"
	"motehound/job/campaign"
	"motehound/job/campaign/bus"
)

// fleet is workers and a server in virtual time, for a campaign's coordinator.
type fleet struct {
	workers int
	cost    float64   // seconds of an item, on average
	costs   []float64 // of real items; nil for made-up ones
	life    float64   // seconds that a worker lives, on average

	c       *campaign.Campaign
	random  *rand.Rand
	now     float64 // seconds
	idle    int     // workers
	waiting []campaign.Item
	working int
	queued  map[string]bool
	events  events
	results []*campaign.Result
	stored  map[string]bool // results

	worked float64 // seconds, of items that were done
	died   int
	twice  int
}

func (f *fleet) begin(c *campaign.Campaign, seed uint64) {
	f.c, f.random, f.idle = c, rand.New(rand.NewPCG(seed, 3)), f.workers
	f.queued, f.stored = make(map[string]bool), make(map[string]bool)
}

// event is something that happens.
type event struct {
	at   float64
	what happening
	item campaign.Item
	cost float64
}

type happening uint8

const (
	finished  happening = iota // an item is done, and acknowledged
	stored                     // an item is done, and its worker dies before it can say so
	overdue                    // whoever has the item was silent for too long
	restarted                  // a worker is there again
)

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// Offer implements campaign.Queue.
func (f *fleet) Offer(_ context.Context, list []campaign.Item) error {
	for _, i := range list {
		if id := i.ID(); !f.queued[id] {
			f.queued[id] = true
			f.waiting = append(f.waiting, i)
		}
	}
	f.hand()
	return nil
}

// hand gives items to idle workers.
func (f *fleet) hand() {
	for f.idle > 0 && len(f.waiting) > 0 {
		i := f.waiting[0]
		f.waiting = f.waiting[1:]
		f.idle--
		f.working++
		cost := f.next()
		if f.random.Float64() >= 1-math.Exp(-cost/f.life) {
			f.will(event{f.now + cost, finished, i, cost})
			continue
		}
		f.died++
		death := f.now + cost/2
		if f.random.IntN(2) == 0 {
			death = f.now + cost
			f.will(event{death, stored, i, cost})
		}
		const restart = 20
		f.will(event{death + bus.Deadline.Seconds(), overdue, i, 0})
		f.will(event{death + restart, restarted, i, 0})
	}
}

// next is what an item costs.
func (f *fleet) next() float64 {
	if len(f.costs) > 0 {
		return f.costs[f.random.IntN(len(f.costs))]
	}
	return f.cost * (0.5 + f.random.ExpFloat64()/2)
}

func (f *fleet) will(e event) { heap.Push(&f.events, e) }

// happen lets an event happen.
func (f *fleet) happen(e event) {
	switch f.now = e.at; e.what {
	case finished:
		f.idle++
		f.working--
		f.done(e)
	case stored:
		f.done(e)
	case overdue: // nobody has acknowledged it
		f.working--
		f.waiting = append(f.waiting, e.item)
	case restarted:
		f.idle++
	}
	f.hand()
}

// done stores a result, once.
func (f *fleet) done(e event) {
	id := e.item.ID()
	f.worked += e.cost
	if f.stored[id] {
		f.twice++
		return
	}
	f.stored[id] = true
	p := new(job.SharedPart)
	p.Stats.Walks, p.Stats.Events = uint64(e.item.Share.Until-e.item.Share.From), 100_000
	f.results = append(f.results, &campaign.Result{Format: campaign.Format, Campaign: f.c.ID(), Version: f.c.Version, Item: e.item, Part: p})
}

// Results implements campaign.Queue.
func (f *fleet) Results(context.Context) ([]*campaign.Result, error) {
	list := f.results
	f.results = nil
	return list, nil
}

// Again implements campaign.Queue. This server hides nothing.
func (f *fleet) Again() {}

// Waiting implements campaign.Queue.
func (f *fleet) Waiting(context.Context) (waiting, working int, err error) {
	return len(f.waiting), f.working, nil
}

// Refuse implements campaign.Queue.
func (f *fleet) Refuse(context.Context, *campaign.Result) error { return nil }

// Keep implements campaign.Queue.
func (f *fleet) Keep(context.Context, string, []byte) error { return nil }

// Pause implements campaign.Queue.
func (f *fleet) Pause(context.Context) error {
	const pause = 0.1
	until := f.now + pause
	for len(f.events) > 0 && f.events[0].at <= until {
		f.happen(heap.Pop(&f.events).(event))
	}
	f.now = until
	return nil
}
