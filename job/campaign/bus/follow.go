package bus

import (
	"context"
	"strings"
	"time"

	"motehound/job/campaign"
	"motehound/job/document"
)

// Follower looks at campaigns, again and again, and reads each result once.
type Follower struct {
	Bus *Bus
	all map[string]*followed // by id
}

type followed struct {
	ledger *campaign.Ledger
	queue  *Queue
}

// follow reads what is new of a campaign.
func (f *Follower) follow(ctx context.Context, id string) (*followed, error) {
	x := f.all[id]
	if x == nil {
		c, err := f.Bus.Campaign(ctx, id)
		if err != nil {
			return nil, err
		}
		x = new(followed)
		if x.ledger, err = campaign.NewLedger(c); err != nil {
			return nil, err
		}
		if x.queue, err = f.Bus.Queue(ctx, id); err != nil {
			return nil, err
		}
		if f.all == nil {
			f.all = make(map[string]*followed)
		}
		f.all[id] = x
	}
	for {
		list, err := x.queue.Results(ctx)
		if len(list) == 0 || err != nil {
			return x, err
		}
		for _, r := range list {
			_ = x.ledger.Done(r) // the coordinator says what is refused
		}
	}
}

// Ledger is how far a campaign is, from what the server has.
func (f *Follower) Ledger(ctx context.Context, id string) (*campaign.Ledger, error) {
	x, err := f.follow(ctx, id)
	if err != nil {
		return nil, err
	}
	return x.ledger, nil
}

// Look is how far the campaigns are whose ids begin so, and which workers answer during some time.
func (f *Follower) Look(ctx context.Context, prefix string, during <-chan time.Time) (*document.CampaignList, error) {
	d := &document.CampaignList{Campaigns: []document.CampaignStatus{}}
	list, err := f.Bus.List(ctx)
	if err != nil {
		return nil, err
	}
	if d.Workers, err = f.Bus.Workers(ctx, during); err != nil {
		return nil, err
	}
	for _, l := range list {
		if !strings.HasPrefix(l.ID, prefix) {
			continue
		}
		x, err := f.follow(ctx, l.ID)
		if err != nil {
			return nil, err
		}
		s := document.CampaignStatus{Campaign: l.ID, Title: l.Title, State: l.State, Found: x.ledger.Causes()}
		if s.Waiting, s.Working, err = x.queue.Waiting(ctx); err != nil {
			return nil, err
		}
		s.Done, s.Items, s.Findings = x.ledger.Progress()
		doc, _ := x.ledger.Result()
		s.Failed = doc.Failed
		d.Campaigns = append(d.Campaigns, s)
	}
	return d, nil
}
