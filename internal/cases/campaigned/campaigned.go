// Package campaigned does the runs of a table as a campaign: each run is an item. So it can be stopped at any moment and gone on with, and the same command on
// other machines takes part, with the same server.
package campaigned

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync"
	"time"

	"motehound/job"
	"motehound/job/campaign"
	"motehound/job/campaign/bus"
)

// Options say where the campaign is kept, and who does it.
type Options struct {
	keep    string
	nats    string
	workers int
}

// Flags adds them to those of the command line.
func Flags(keep string) *Options {
	o := new(Options)
	flag.StringVar(&o.keep, "keep", keep, "the `folder` that keeps what was measured; empty for none")
	flag.StringVar(&o.nats, "nats", "", "the `URL` of a NATS server that keeps it instead, for many machines")
	flag.IntVar(&o.workers, "workers", 1, "how many runs at once on this machine")
	return o
}

// Here is a campaign of this process alone, of which nothing is kept.
func Here() *Options { return &Options{workers: 1} }

// Do does all runs that are not done, and gives what each gave, in their order.
func Do[J, O any](o *Options, title string, runs []J, do func(J) (O, error)) ([]O, error) {
	c := &campaign.Campaign{Format: campaign.Format, Version: bus.ProgramHash(), Title: title}
	for _, r := range runs {
		request, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		c.Strands = append(c.Strands, campaign.Strand{Job: campaign.Own, Request: request})
	}
	if o.keep == "" {
		dir, err := os.MkdirTemp("", "motehound-table-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		o = &Options{dir, o.nats, o.workers}
	}
	home, err := o.open()
	if err != nil {
		return nil, err
	}
	defer home.Close()
	l, err := o.run(home, c, func(request json.RawMessage) (any, error) {
		var r J
		if err := json.Unmarshal(request, &r); err != nil {
			return nil, err
		}
		return do(r)
	})
	if err != nil {
		return nil, err
	}
	doc, _ := l.Result()
	if len(doc.Failed) > 0 {
		return nil, fmt.Errorf("%d runs failed, the first one: %s", len(doc.Failed), doc.Failed[0].Why)
	}
	all := make([]O, len(runs))
	for i := range all {
		if err := json.Unmarshal(doc.Strands[i].Document, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// open reaches the server, or starts one.
func (o *Options) open() (*bus.Home, error) {
	ctx, access := context.Background(), bus.Access{Name: "table", URL: o.nats, Wait: pause}
	if o.nats == "" {
		return bus.OpenHome(ctx, bus.ServerOptions{Dir: o.keep, Token: bus.ProgramHash(), Lasting: true, Say: say}, access)
	}
	b, err := bus.Connect(ctx, access)
	return &bus.Home{Bus: b, Access: access}, err
}

// run has the campaign done, by this machine and whoever else there is.
func (o *Options) run(home *bus.Home, c *campaign.Campaign, do func(json.RawMessage) (any, error)) (*campaign.Ledger, error) {
	ctx, cancel := context.WithCancel(context.Background())
	if err := home.Create(ctx, c, nil); err != nil {
		cancel()
		return nil, err
	}
	var crew sync.WaitGroup
	defer crew.Wait()
	defer cancel()
	for n := range o.workers {
		b, err := bus.Connect(ctx, home.Access)
		if err != nil {
			return nil, err
		}
		defer b.Close()
		w := &bus.Worker{Bus: b, Name: fmt.Sprint("table ", n), Version: c.Version, Only: c.ID(), Host: job.Host{After: time.After}, Say: say, Own: do}
		crew.Go(func() {
			if err := w.Run(ctx); err != nil {
				say("a worker has ended: %v", err)
			}
		})
	}
	l, err := campaign.NewLedger(c)
	if err != nil {
		return nil, err
	}
	q, err := home.Queue(ctx, c.ID())
	if err == nil {
		err = (&campaign.Coordinator{Ledger: l, Queue: q, Window: campaign.UsualWindow, Say: say}).Run(ctx)
	}
	if err == nil {
		err = home.SetState(ctx, c, bus.Finished)
	}
	return l, err
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func pause(_ context.Context, d time.Duration) error {
	time.Sleep(d)
	return nil
}
