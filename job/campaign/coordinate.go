package campaign

import (
	"context"
	"errors"
	"fmt"
)

// Queue is how a coordinator reaches workers. What it was told survives: items until they have a result, and results for ever.
type Queue interface {
	// Offer puts items into the queue, unless they are there. If it fails, some of them may be.
	Offer(ctx context.Context, list []Item) error
	// Results gives the results that have come since it was last called, in the order in which they came. Those after MostResults wait for the next call.
	Results(ctx context.Context) ([]*Result, error)
	// Again has the next Results begin with the first one: a server of several may have hidden one that was new.
	Again()
	// Waiting is how many items are in the queue and nobody does them, and how many somebody does.
	Waiting(ctx context.Context) (waiting, working int, err error)
	// Refuse has a result forgotten.
	Refuse(ctx context.Context, r *Result) error
	// Keep makes something known by its hash.
	Keep(ctx context.Context, hash string, data []byte) error
	// Pause waits a little: for results, or for the queue to be there again.
	Pause(ctx context.Context) error
}

// Coordinator has the items of a campaign done. There may be several, or none for a while: it does no harm.
type Coordinator struct {
	Ledger *Ledger
	Queue  Queue
	// Window is the most items that are in the queue at a time: so much is published in advance, and no more.
	Window int
	// Tell, if not nil, is told how far it is, when that has changed.
	Tell func(waiting, working int)
	// Say, if not nil, is told what the user should know.
	Say func(format string, args ...any)

	out  map[string]bool // items that are in the queue, as far as is known
	kept map[string]bool
}

// MostResults is how many results are read at a time.
const MostResults = 1000

// UsualWindow is enough for many workers.
const UsualWindow = 1000

// Run goes on until the campaign is finished.
func (c *Coordinator) Run(ctx context.Context) error {
	c.out, c.kept = make(map[string]bool), make(map[string]bool)
	silent := 0
	for !c.Ledger.Finished() {
		moved, err := c.step(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, ErrUnavailable):
			if silent++; silent == 1 {
				c.say("%v: waiting for it", err)
			}
		case err != nil:
			return err
		default:
			silent = 0
		}
		if moved && err == nil {
			continue
		}
		if err := c.Queue.Pause(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ErrUnavailable is what Queue's methods wrap if trying again later may help.
var ErrUnavailable = errors.New("the server does not answer")

// step takes results and offers items, and tells whether there was anything to do.
func (c *Coordinator) step(ctx context.Context) (moved bool, err error) {
	waiting, working, err := c.Queue.Waiting(ctx) // before the results: what has left the queue has one
	if err != nil {
		return false, err
	}
	results, err := c.Queue.Results(ctx)
	for _, r := range results {
		if err := c.take(ctx, r); err != nil {
			return false, err
		}
	}
	if err != nil {
		return false, err
	}
	if len(results) == 0 && waiting+working == 0 && len(c.out) > 0 {
		c.say("%d items are neither in the queue nor done: they are queued again", len(c.out))
		c.Ledger.Rewind()
		c.Queue.Again()
		clear(c.out)
	}
	offered := false
	if len(results) < MostResults { // else some may be of items that would be offered again
		offered, err = c.offer(ctx)
	}
	if c.Tell != nil {
		c.Tell(waiting, working)
	}
	return len(results) > 0 || offered, err
}

// take books a result. One that is not right is forgotten, and its item will be done again.
func (c *Coordinator) take(ctx context.Context, r *Result) error {
	if err := c.Ledger.Done(r); err != nil {
		c.say("%v", err)
		return c.Queue.Refuse(ctx, r)
	}
	delete(c.out, r.Item.ID())
	return nil
}

// offer fills the queue.
func (c *Coordinator) offer(ctx context.Context) (bool, error) {
	items := c.Ledger.Next(c.Window - len(c.out))
	var err error
	for i := 0; i < len(items) && err == nil; i++ {
		err = c.keep(ctx, items[i].Begin)
	}
	if err == nil && len(items) > 0 {
		err = c.Queue.Offer(ctx, items)
	}
	if err != nil {
		c.Ledger.Rewind() // those that are left, and others, which are in the queue
		return false, err
	}
	for _, i := range items {
		c.out[i.ID()] = true
	}
	return len(items) > 0, nil
}

func (c *Coordinator) keep(ctx context.Context, hash string) error {
	if hash == "" || c.kept[hash] {
		return nil
	}
	data := c.Ledger.Blob(hash)
	if data == nil {
		return fmt.Errorf("BUG: nothing has the hash %s", hash)
	}
	if err := c.Queue.Keep(ctx, hash, data); err != nil {
		return err
	}
	c.kept[hash] = true
	return nil
}

func (c *Coordinator) say(format string, args ...any) {
	if c.Say != nil {
		c.Say(format, args...)
	}
}
