package workbench

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"motehound/job"
	"motehound/job/campaign"
	"motehound/job/campaign/bus"
	"motehound/job/document"
)

// campaigns reads the stream of campaigns for as long as somebody wants more of it.
func (c *client) campaigns(more func(*campaignsDoc) bool) {
	c.t.Helper()
	c.streamed("/api/campaigns/events", func(data []byte) bool {
		var d campaignsDoc
		if err := json.Unmarshal(data, &d); err != nil {
			c.t.Fatal(err)
		}
		return more(&d)
	})
}

// A campaign that somebody has done is shown as it goes on, with its workers and what was found, and afterwards.
func TestCampaigns(t *testing.T) {
	c := started(t)
	var none campaignsDoc
	c.ask("GET", "/api/campaigns", "", &none)
	if len(none.Campaigns) > 0 || bus.Served(campaignFolder) {
		t.Errorf("%+v", none)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	home, err := bus.OpenHome(ctx, bus.ServerOptions{Dir: campaignFolder, Token: "secret", Lasting: true}, bus.Access{Name: "test", Wait: wait})
	if err != nil {
		t.Fatal(err)
	}
	request := json.RawMessage(`{"file": "example:ring", "serial_in": ["hello"], "events": 100, "shorten": 2000}`)
	k := &campaign.Campaign{Format: campaign.Format, Version: "test", Title: "check example:ring", Strands: []campaign.Strand{{Job: "check", Request: request, Items: 30, Walks: 1}}}
	if err := home.Create(ctx, k, nil); err != nil {
		t.Fatal(err)
	}
	l, err := campaign.NewLedger(k)
	if err != nil {
		t.Fatal(err)
	}
	q, err := home.Queue(ctx, k.ID())
	if err != nil {
		t.Fatal(err)
	}
	w := &bus.Worker{Bus: home.Bus, Name: "w", Version: "test", Host: job.Host{After: time.After}, Say: t.Logf}
	ended := make(chan error, 2)
	go func() { ended <- w.Run(ctx) }()
	go func() {
		err := (&campaign.Coordinator{Ledger: l, Queue: q, Window: 10}).Run(ctx)
		if err == nil {
			err = home.SetState(ctx, k, bus.Finished)
		}
		ended <- err
	}()
	worked := false
	c.campaigns(func(d *campaignsDoc) bool {
		worked = worked || slices.ContainsFunc(d.Workers, func(w document.CampaignWorker) bool { return w.Name == "w" })
		return d.Campaigns[0].State != bus.Finished
	})
	if !worked {
		t.Error("the worker was never there")
	}
	cancel()
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	home.Close()
	var after campaignsDoc
	c.ask("GET", "/api/campaigns", "", &after)
	if x := after.Campaigns[0]; x.Done != 31 || x.Items != 31 || len(x.Found) == 0 || !strings.Contains(x.Found[0], "lost update of count") {
		t.Errorf("%+v", x)
	}
	c.campaigns(func(*campaignsDoc) bool { return false }) // nobody has it done now
	t.Run("page", func(t *testing.T) { c.used(t, "campaigns.mjs") })
}
