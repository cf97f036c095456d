package bus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	Host  job.Host // has After; with Now, small items are taken several at a time
	Say   func(format string, args ...any)
	// Own does items of campaign.Own; nil for none.
	Own func(request json.RawMessage) (any, error)
	// Did, if not nil, is told of each item that is done.
	Did func(item string, failed string)

	mu      sync.Mutex
	doing   string
	done    uint64
	at      *campaign.Doer // of the campaign whose files are there
	refused map[string]bool
	waits   atomic.Bool   // results wait for the server
	cost    time.Duration // of an item, lately
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

// round does items of each campaign that has some, or waits a little.
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
			list, err := w.Bus.take(ctx, l.ID, w.many(), takeWait)
			if err := errors.Join(w.doAll(ctx, l.ID, list), err); err != nil {
				return err
			}
			if len(list) == 0 || ctx.Err() != nil {
				break
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

// many is how many items are taken at a time: about as many as are done in a moment.
func (w *Worker) many() int {
	const moment, most = 200 * time.Millisecond, 64
	if w.cost <= 0 {
		return 1
	}
	return int(max(1, min(most, moment/w.cost)))
}

// doAll does items one after the other. Their results are stored meanwhile.
func (w *Worker) doAll(ctx context.Context, id string, list []*task) error {
	if len(list) == 0 {
		return nil
	}
	d, err := w.enter(ctx, id)
	later := time.Second
	if err != nil {
		later = Deadline
	}
	slices.SortFunc(list, riskiest)
	item, cancel := w.graceful(ctx)
	defer cancel()
	open := &tasks{list: slices.Clone(list)}
	done := make(chan struct{})
	var beats, stores sync.WaitGroup
	beats.Go(func() { w.beat(done, open) })
	var failed tasks // errors of stores
	start := w.now()
	for _, t := range list {
		switch {
		case err != nil:
			err = errors.Join(err, t.giveBack(later))
		case ctx.Err() != nil:
			err = t.giveBack(0)
		default:
			var r *campaign.Result
			if r, err = w.do(item, d, t); r != nil {
				stores.Go(func() {
					failed.note(w.finish(item, t, r))
					open.without(t)
				})
				continue
			}
		}
		open.without(t)
	}
	w.cost = w.now().Sub(start) / time.Duration(len(list))
	stores.Wait()
	close(done)
	beats.Wait()
	return errors.Join(err, failed.err)
}

// riskiest orders items that are taken together: one that kills its worker shall not be blamed on others. Those that were given out before come last, and in
// another order each time.
func riskiest(a, b *task) int {
	mixed := func(t *task) uint32 { return crc32.ChecksumIEEE(fmt.Append(nil, t.ID(), " ", t.times)) }
	return cmp.Or(cmp.Compare(a.times, b.times), cmp.Compare(mixed(a), mixed(b)))
}

func (w *Worker) now() (t time.Time) {
	if w.Host.Now != nil {
		t = w.Host.Now()
	}
	return t
}

// do does an item, and gives it back if it cannot: then there is no result.
func (w *Worker) do(item context.Context, d *campaign.Doer, t *task) (*campaign.Result, error) {
	w.note(d.ID() + "/" + t.ID())
	defer w.note("")
	if t.times > mostTimes {
		return d.Fail(t.Item, fmt.Sprintf("it was given out %d times, and whoever had it died", t.times-1)), nil
	}
	blob := func(hash string) ([]byte, error) { return w.Bus.Blob(item, hash) }
	r, err := d.Do(item, t.Item, blob, w.Host)
	switch {
	case item.Err() != nil:
		return nil, t.giveBack(0)
	case errors.Is(err, campaign.ErrUnavailable):
		return nil, errors.Join(err, t.giveBack(time.Second))
	case err != nil && t.times < mostTries:
		w.Say("item %s: %v (it will be tried again)", t.ID(), err)
		return nil, t.giveBack(time.Duration(t.times) * time.Second)
	case err != nil:
		r = d.Fail(t.Item, err.Error())
	}
	return r, nil
}

// tasks are items that this worker has, and what went wrong with some.
type tasks struct {
	mu   sync.Mutex
	list []*task
	err  error
}

func (x *tasks) all() []*task {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.list)
}

func (x *tasks) without(t *task) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list = slices.DeleteFunc(x.list, func(o *task) bool { return o == t })
}

func (x *tasks) note(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.err = errors.Join(x.err, err)
}

// finish stores a result, however long the server is away.
func (w *Worker) finish(ctx context.Context, t *task, r *campaign.Result) error {
	for {
		err := t.store(ctx, r)
		if err == nil {
			break
		}
		if !errors.Is(err, campaign.ErrUnavailable) {
			return err
		}
		if w.waits.CompareAndSwap(false, true) {
			w.Say("%v: results wait until they can be stored", err)
		}
		if w.wait(ctx, time.Second); ctx.Err() != nil {
			return err
		}
	}
	w.waits.Store(false)
	w.mu.Lock()
	w.done++
	w.mu.Unlock()
	if w.Did != nil {
		w.Did(t.ID(), r.Failed)
	}
	return nil
}

// enter goes to the folder of a campaign.
func (w *Worker) enter(ctx context.Context, id string) (*campaign.Doer, error) {
	if w.at != nil && w.at.ID() == id {
		return w.at, nil
	}
	c, err := w.Bus.Campaign(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(c.Files) > 0 {
		folder, err := c.Lay(w.Dir, func(hash string) ([]byte, error) { return w.Bus.Blob(ctx, hash) })
		if err != nil {
			return nil, err
		}
		if err := w.Enter(folder); err != nil {
			return nil, err
		}
	}
	w.at = campaign.NewDoer(c)
	w.at.Own = w.Own
	return w.at, nil
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

// beat tells the server that items are being done.
func (w *Worker) beat(done <-chan struct{}, open *tasks) {
	for {
		select {
		case <-done:
			return
		case <-w.Host.After(Deadline / 3):
			for _, t := range open.all() {
				_ = t.working() // if it does not hear it, somebody else may do the item, too
			}
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
