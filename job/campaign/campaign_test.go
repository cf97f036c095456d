package campaign_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"motehound/job"
	"motehound/job/campaign"
	"motehound/job/document"
)

// asked is a strand with a request, of which some fields are said.
func asked(t *testing.T, name string, s campaign.Strand, request any) campaign.Strand {
	t.Helper()
	var err error
	if s.Request, err = json.Marshal(request); err != nil {
		t.Fatal(err)
	}
	s.Job = name
	return s
}

func newCampaign(strands ...campaign.Strand) *campaign.Campaign {
	return &campaign.Campaign{Format: campaign.Format, Version: "test", Title: "a test", Strands: strands}
}

// complete does all items of a campaign, each time those that choose picks of what can be done, and gives the result as JSON. Fresh has each item done by somebody
// who knows nothing of those before.
func complete(t *testing.T, c *campaign.Campaign, fresh bool, choose func(n int) int) []byte {
	t.Helper()
	l, err := campaign.NewLedger(c)
	if err != nil {
		t.Fatal(err)
	}
	var ready []campaign.Item
	d := campaign.NewDoer(c)
	var results []*campaign.Result
	for !l.Finished() {
		ready = append(ready, l.Next(100)...)
		if len(ready) == 0 {
			t.Fatal("there is nothing to do, and it is not finished")
		}
		at := choose(len(ready))
		item := ready[at]
		ready = slices.Delete(ready, at, at+1)
		if fresh {
			d = campaign.NewDoer(c)
		}
		blob := func(hash string) ([]byte, error) { return l.Blob(hash), nil }
		r, err := d.Do(t.Context(), item, blob, job.Host{})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
		for range 2 { // one that comes twice counts once
			if err := l.Done(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	again, err := campaign.NewLedger(c) // that hears of the results alone, as after a restart
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if err := again.Done(r); err != nil {
			t.Fatal(err)
		}
	}
	if !again.Finished() {
		t.Error("all results are there, and it is not finished")
	}
	doc, _ := again.Result()
	var b bytes.Buffer
	if err := document.Write(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The result does not depend on the order in which items are done, nor on what was done before them.
func TestOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]*campaign.Campaign{
		"walks":  newCampaign(asked(t, "check", campaign.Strand{Items: 6, Walks: 2}, map[string]any{"file": "example:ring", "serial_in": []string{"hello"}, "events": 500, "shorten": 2000})),
		"search": newCampaign(asked(t, "check", campaign.Strand{Events: 1000}, map[string]any{"file": "example:readings", "nodes": 3, "depth": 11, "preempt": 0})),
		"fuzz":   newCampaign(asked(t, "fuzz", campaign.Strand{Items: 3, Walks: 2, Epochs: 2}, map[string]any{"file": "example:command", "events": 1000, "shorten": 2000})),
		"whole": newCampaign(asked(t, "run", campaign.Strand{Label: "a"}, map[string]any{"file": "example:ring", "time_ns": 1e8}),
			asked(t, "mine", campaign.Strand{Label: "b"}, map[string]any{"files": []string{"example:pollute"}, "nodes": 2})),
		"mine":     newCampaign(asked(t, "mine", campaign.Strand{Items: 3}, map[string]any{"files": []string{"example:drop"}, "nodes": 2, "time_ns": 5e9, "runs": 3})),
		"symbolic": newCampaign(asked(t, "symbolic", campaign.Strand{Events: 1000}, map[string]any{"file": "example:novolatile", "serial_in": []string{"any:3"}, "time_ns": 1e9})),
		"hunt":     newCampaign(asked(t, "hunt", campaign.Strand{Items: 4, Events: 1000}, map[string]any{"file": "example:ring", "serial_in": []string{"hello"}, "time_ns": 1e9, "engines": []string{"run", "check"}})),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			straight := complete(t, c, false, func(int) int { return 0 })
			random := rand.New(rand.NewPCG(1, 2))
			if mixed := complete(t, c, true, random.IntN); !bytes.Equal(straight, mixed) {
				t.Errorf("in order:\n%s\nmixed:\n%s", straight, mixed)
			}
		})
	}
}
