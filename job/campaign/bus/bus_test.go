package bus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"motehound/job"
	"motehound/job/campaign"
	"motehound/job/campaign/bus"
	"motehound/job/document"
)

// many is a campaign of small items.
func many(t *testing.T, items int) *campaign.Campaign {
	t.Helper()
	request, err := json.Marshal(map[string]any{"file": "example:ring", "serial_in": []string{"hello"}, "events": 100, "shorten": 2000})
	if err != nil {
		t.Fatal(err)
	}
	return &campaign.Campaign{Format: campaign.Format, Version: "test", Title: "many", Strands: []campaign.Strand{{Job: "check", Request: request, Items: items, Walks: 1}}}
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func serve(t *testing.T, dir string) (*bus.Server, *bus.Bus) {
	t.Helper()
	s, err := bus.Serve(bus.ServerOptions{Dir: dir, Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, connect(t, s)
}

func connect(t *testing.T, s *bus.Server) *bus.Bus {
	t.Helper()
	b, err := bus.Connect(t.Context(), bus.Access{URL: s.URL(), Token: "secret", Name: "test", Wait: wait})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// work starts a worker, which ends with the context.
func work(t *testing.T, ctx context.Context, b *bus.Bus, n int) {
	t.Helper()
	workSaying(t, ctx, b, n, t.Logf)
}

func workSaying(t *testing.T, ctx context.Context, b *bus.Bus, n int, say func(string, ...any)) {
	t.Helper()
	w := &bus.Worker{Bus: b, Name: fmt.Sprint("worker ", n), Version: "test", Dir: t.TempDir(), Host: job.Host{Now: time.Now, After: time.After}, Say: say}
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	t.Cleanup(func() {
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// coordinate runs a campaign to its end, and gives its result.
func coordinate(t *testing.T, ctx context.Context, b *bus.Bus, c *campaign.Campaign) []byte {
	t.Helper()
	return through(t, ctx, b, c, func(q *bus.Queue) campaign.Queue { return q })
}

// through is coordinate with another queue around the campaign's.
func through(t *testing.T, ctx context.Context, b *bus.Bus, c *campaign.Campaign, around func(*bus.Queue) campaign.Queue) []byte {
	t.Helper()
	l, q := opened(t, ctx, b, c)
	if err := (&campaign.Coordinator{Ledger: l, Queue: around(q), Window: 100, Say: t.Logf}).Run(ctx); err != nil {
		t.Fatal(err)
	}
	doc, _ := l.Result()
	var out bytes.Buffer
	if err := document.Write(&out, doc); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// opened is the ledger and the queue of a campaign, which is known from then on.
func opened(t *testing.T, ctx context.Context, b *bus.Bus, c *campaign.Campaign) (*campaign.Ledger, *bus.Queue) {
	t.Helper()
	l, err := campaign.NewLedger(c)
	if err == nil {
		err = b.Create(ctx, c, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	q, err := b.Queue(ctx, c.ID())
	if err != nil {
		t.Fatal(err)
	}
	return l, q
}

func TestCampaign(t *testing.T) {
	t.Parallel()
	s, b := serve(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := many(t, 200)
	work(t, ctx, connect(t, s), 1)
	work(t, ctx, connect(t, s), 2)
	start := time.Now()
	first := coordinate(t, ctx, b, c)
	t.Log(time.Since(start), len(first))
	if again := coordinate(t, ctx, b, c); !bytes.Equal(first, again) {
		t.Errorf("another coordinator says\n%s\nand the first\n%s", again, first)
	}
	cancel()
}

// lagging is a queue that does not show one of its results when it is new, as the servers of a cluster may.
type lagging struct {
	*bus.Queue
	hidden *bool
}

func (l lagging) Results(ctx context.Context) ([]*campaign.Result, error) {
	list, err := l.Queue.Results(ctx)
	if len(list) > 0 && !*l.hidden {
		*l.hidden = true
		list = list[1:]
	}
	return list, err
}

// TestLagging: a result that was not seen when it came is seen later, and is not waited for without end.
func TestLagging(t *testing.T) {
	t.Parallel()
	s, b := serve(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := many(t, 20)
	work(t, ctx, connect(t, s), 1)
	hidden := false
	first := through(t, ctx, b, c, func(q *bus.Queue) campaign.Queue { return lagging{q, &hidden} })
	if again := coordinate(t, ctx, b, c); !hidden || !bytes.Equal(first, again) {
		t.Errorf("hidden: %v; another coordinator says\n%s\nand the first\n%s", hidden, again, first)
	}
	cancel()
}

// What is done in parts has the same result with one worker and with three.
func TestParted(t *testing.T) {
	t.Parallel()
	c := &campaign.Campaign{Format: campaign.Format, Version: "test", Title: "parts", Strands: []campaign.Strand{
		{Job: "mine", Items: 4, Request: json.RawMessage(`{"files": ["example:pollute"], "nodes": 2, "time_ns": 4000000000, "runs": 4}`)},
		{Job: "symbolic", Events: 1000, Request: json.RawMessage(`{"file": "example:novolatile", "serial_in": ["any:4"], "time_ns": 500000000}`)},
		{Job: "hunt", Items: 4, Events: 1000, Request: json.RawMessage(`{"file": "example:ring", "serial_in": ["hello"], "time_ns": 1000000000, "engines": ["run", "check"]}`)},
	}}
	results := map[int][]byte{}
	for _, workers := range []int{1, 3} {
		s, b := serve(t, t.TempDir())
		ctx, cancel := context.WithCancel(t.Context())
		for n := range workers {
			work(t, ctx, connect(t, s), n)
		}
		results[workers] = coordinate(t, ctx, b, c)
		cancel()
	}
	if !bytes.Equal(results[1], results[3]) {
		t.Errorf("with one worker:\n%s\nwith three:\n%s", results[1], results[3])
	}
	for _, want := range []string{"wait: read_once", "lost update of count", `"rankings"`} {
		if !bytes.Contains(results[1], []byte(want)) {
			t.Errorf("%s is not in\n%s", want, results[1])
		}
	}
}
