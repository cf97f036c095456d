package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"motehound/job"
	"motehound/job/campaign"
	"motehound/job/document"
)

// Worker does items of campaigns.
type Worker struct {
	Bus     *Bus
	Name    string
	Version string // only campaigns of the same
	Dir     string // for their files
	Only    string // the id of the only campaign; empty for all
	// Enter makes a folder the one in which the process runs. Campaigns with files need it.
	Enter func(folder string) error
	// Grace is for how long an item may go on when the worker is to end. Then it is given back.
	Grace time.Duration
	Host  job.Host // has After
	Say   func(format string, args ...any)
	// Did, if not nil, is told of each item that is done.
	Did func(item string, failed string)

	mu      sync.Mutex
	doing   string
	done    uint64
	at      *campaign.Campaign // whose files are there
	refused map[string]bool
}

const (
	mostTimes = 20 // that an item is given to somebody who dies
	mostTries = 3  // of an item that somebody says cannot be done
	takeWait  = time.Second
)

// Run works until the context ends.
func (w *Worker) Run(ctx context.Context) error {
	answer, err := w.Bus.nc.Subscribe(workersSubject, w.answer)
	if err != nil {
		return told(err)
	}
	defer answer.Unsubscribe()
	w.refused = make(map[string]bool)
	silent := false
	for ctx.Err() == nil {
		err := w.round(ctx)
		switch {
		case err == nil:
			silent = false
			continue
		case ctx.Err() != nil:
		case errors.Is(err, campaign.ErrUnavailable), errors.Is(err, ErrGarbage):
			if !silent {
				w.Say("%v", err)
			}
			silent = errors.Is(err, campaign.ErrUnavailable)
		default:
			return err
		}
		w.wait(ctx, time.Second)
	}
	return nil
}

// round does an item of each campaign that has one, or waits a little.
func (w *Worker) round(ctx context.Context) error {
	list, err := w.Bus.List(ctx)
	if err != nil {
		return err
	}
	any := false
	for _, l := range list {
		if l.State != Running || w.Only != "" && l.ID != w.Only || !w.fits(&l) {
			continue
		}
		any = true
		for { // as long as it has some
			t, err := w.Bus.Take(ctx, l.ID, takeWait)
			if err != nil {
				return err
			}
			if t == nil || ctx.Err() != nil {
				break
			}
			if err := w.do(ctx, l.ID, t); err != nil {
				return err
			}
		}
	}
	if !any {
		w.wait(ctx, takeWait)
	}
	return nil
}

// fits tells whether a campaign is of this version, and says it once if it is not.
func (w *Worker) fits(l *Listed) bool {
	if l.Version == w.Version {
		return true
	}
	if !w.refused[l.ID] {
		w.refused[l.ID] = true
		w.Say("campaign %s was started by version %s, and this worker is %s: its results could differ, so it does none of its items; use the same version", l.ID, l.Version, w.Version)
	}
	return false
}

// do does an item, and gives it back if it cannot.
func (w *Worker) do(ctx context.Context, id string, t *Task) error {
	w.note(id + "/" + t.ID())
	defer w.note("")
	c, err := w.enter(ctx, id)
	if err != nil {
		return errors.Join(err, t.GiveBack(Deadline))
	}
	if t.Times > mostTimes {
		return w.finish(ctx, t, campaign.Fail(c, t.Item, fmt.Sprintf("it was given out %d times, and whoever had it died", t.Times-1)))
	}
	item, cancel := w.graceful(ctx)
	defer cancel()
	done := make(chan struct{})
	var beats sync.WaitGroup
	beats.Go(func() { w.beat(done, t) })
	blob := func(hash string) ([]byte, error) { return w.Bus.Blob(item, hash) }
	r, err := campaign.Do(item, c, t.Item, blob, w.Host)
	close(done)
	beats.Wait()
	switch {
	case item.Err() != nil:
		return t.GiveBack(0)
	case errors.Is(err, campaign.ErrUnavailable):
		return errors.Join(err, t.GiveBack(time.Second))
	case err != nil && t.Times < mostTries:
		w.Say("item %s: %v (it will be tried again)", t.ID(), err)
		return t.GiveBack(time.Duration(t.Times) * time.Second)
	case err != nil:
		r = campaign.Fail(c, t.Item, err.Error())
	}
	return w.finish(item, t, r)
}

// finish stores a result, however long the server is away.
func (w *Worker) finish(ctx context.Context, t *Task, r *campaign.Result) error {
	for {
		err := t.Done(ctx, r)
		if err == nil {
			break
		}
		if !errors.Is(err, campaign.ErrUnavailable) {
			return err
		}
		if w.wait(ctx, time.Second); ctx.Err() != nil {
			return err
		}
		if err := t.Working(); err != nil && !errors.Is(err, campaign.ErrUnavailable) {
			return err
		}
	}
	w.mu.Lock()
	w.done++
	w.mu.Unlock()
	if w.Did != nil {
		w.Did(t.ID(), r.Failed)
	}
	return nil
}

// enter goes to the folder of a campaign.
func (w *Worker) enter(ctx context.Context, id string) (*campaign.Campaign, error) {
	if w.at != nil && w.at.ID() == id {
		return w.at, nil
	}
	c, err := w.Bus.Campaign(ctx, id)
	if err != nil || len(c.Files) == 0 {
		return c, err
	}
	folder, err := c.Lay(w.Dir, func(hash string) ([]byte, error) { return w.Bus.Blob(ctx, hash) })
	if err != nil {
		return nil, err
	}
	if err := w.Enter(folder); err != nil {
		return nil, err
	}
	w.at = c
	return c, nil
}

// graceful is a context that ends a while after the other.
func (w *Worker) graceful(ctx context.Context) (context.Context, context.CancelFunc) {
	item, cancel := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		select {
		case <-item.Done():
			return
		case <-ctx.Done():
		}
		select {
		case <-item.Done():
		case <-w.Host.After(w.Grace):
		}
		cancel()
	}()
	return item, cancel
}

// beat tells the server that the item is being done.
func (w *Worker) beat(done <-chan struct{}, t *Task) {
	for {
		select {
		case <-done:
			return
		case <-w.Host.After(Deadline / 3):
			_ = t.Working() // if it does not hear it, somebody else may do the item, too
		}
	}
}

func (w *Worker) wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-w.Host.After(d):
	}
}

func (w *Worker) note(item string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doing = item
}

const workersSubject = "motehound.workers"

// answer says what this worker is at.
func (w *Worker) answer(msg *nats.Msg) {
	w.mu.Lock()
	data, err := json.Marshal(document.CampaignWorker{Name: w.Name, Version: w.Version, Item: w.doing, Done: w.done})
	w.mu.Unlock()
	if err == nil && msg.Reply != "" {
		_ = msg.Respond(data)
	}
}

// Workers asks who is there, and takes answers for a while.
func (b *Bus) Workers(ctx context.Context, during <-chan time.Time) ([]document.CampaignWorker, error) {
	inbox := b.nc.NewInbox()
	answers := make(chan *nats.Msg, 10_000)
	sub, err := b.nc.ChanSubscribe(inbox, answers)
	if err != nil {
		return nil, told(err)
	}
	defer sub.Unsubscribe()
	if err := b.nc.PublishRequest(workersSubject, inbox, nil); err != nil {
		return nil, told(err)
	}
	all := []document.CampaignWorker{}
	for {
		select {
		case msg := <-answers:
			var x document.CampaignWorker
			if json.Unmarshal(msg.Data, &x) == nil && x.Name != "" {
				all = append(all, x)
			}
			continue
		case <-ctx.Done():
		case <-during:
		}
		slices.SortFunc(all, func(a, b document.CampaignWorker) int { return strings.Compare(a.Name, b.Name) })
		return all, nil
	}
}
