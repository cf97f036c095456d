package bus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"motehound/job"
	"motehound/job/campaign"
	"motehound/job/campaign/bus"
)

// said gathers what a worker or coordinator says.
type said struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *said) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(&s.text, format+"\n", args...)
}

func (s *said) has(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.text.String(), what)
}

// reach is a client of the server that is none of ours.
func reach(t *testing.T, s *bus.Server) jetstream.JetStream {
	t.Helper()
	nc, err := nats.Connect(s.URL(), nats.Token("secret"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// straight is the result without a server.
func straight(t *testing.T, c *campaign.Campaign) []byte {
	t.Helper()
	s, b := serve(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	work(t, ctx, connect(t, s), 1)
	return coordinate(t, ctx, b, c)
}

// A worker of another version does nothing, and says why.
func TestVersion(t *testing.T) {
	t.Parallel()
	s, b := serve(t, t.TempDir())
	c := many(t, 3)
	if err := b.Create(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	var heard said
	ctx, cancel := context.WithCancel(t.Context())
	other := &bus.Worker{Bus: connect(t, s), Name: "other", Version: "another", Dir: t.TempDir(), Host: job.Host{Now: time.Now, After: time.After}, Say: heard.say,
		Did: func(item, _ string) { t.Errorf("it did %s", item) }}
	done := make(chan error, 1)
	go func() { done <- other.Run(ctx) }()
	work(t, ctx, connect(t, s), 1)
	coordinate(t, ctx, b, c)
	for !heard.has("use the same version") {
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Garbage among items and results is taken away, and does no harm.
func TestGarbage(t *testing.T) {
	t.Parallel()
	c := many(t, 20)
	want := straight(t, c)
	s, b := serve(t, t.TempDir())
	if err := b.Create(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	js := reach(t, s)
	for subject, data := range map[string]string{
		"motehound.items." + c.ID() + ".0-0-3":   "garbage",
		"motehound.items." + c.ID() + ".x.y":     "{}",
		"motehound.results." + c.ID() + ".0-0-5": "garbage",
		"motehound.results." + c.ID() + ".0-0-6": `{"motehound_result": 1, "campaign": "` + c.ID() + `", "version": "another", "item": {"strand": 0, "epoch": 0, "number": 6}}`,
		"motehound.results." + c.ID() + ".0-0-7": `{"motehound_object": "nothing"}`,
	} {
		if _, err := js.Publish(t.Context(), subject, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	work(t, ctx, connect(t, s), 1)
	if got := coordinate(t, ctx, b, c); !bytes.Equal(got, want) {
		t.Errorf("with garbage\n%s\nwithout\n%s", got, want)
	}
}

// A file with another hash is refused by workers.
func TestWrongHash(t *testing.T) {
	t.Parallel()
	s, b := serve(t, t.TempDir())
	c := many(t, 1)
	c.Files = []campaign.File{{Name: "app.elf", SHA256: strings.Repeat("ab", 32), Size: 4}}
	if err := b.Create(t.Context(), c, map[string][]byte{c.Files[0].SHA256: []byte("evil")}); err != nil {
		t.Fatal(err)
	}
	l, err := campaign.NewLedger(c)
	if err != nil {
		t.Fatal(err)
	}
	q, err := b.Queue(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Offer(t.Context(), l.Next(1)); err != nil {
		t.Fatal(err)
	}
	w := &bus.Worker{Bus: connect(t, s), Name: "w", Version: "test", Dir: t.TempDir(), Host: job.Host{Now: time.Now, After: time.After}, Say: t.Logf}
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "is refused: its hash is") {
		t.Errorf("the worker says: %v", err)
	}
}

// A server without room says so, loses nothing, and goes on when there is some.
func TestFull(t *testing.T) {
	t.Parallel()
	c := many(t, 120)
	want := straight(t, c)
	dir := t.TempDir()
	small, err := bus.Serve(bus.ServerOptions{Dir: dir, Token: "secret", MaxBytes: 16 << 10})
	if err != nil {
		t.Fatal(err)
	}
	b := connect(t, small)
	ctx, cancel := context.WithCancel(t.Context())
	var heard said
	l, q := opened(t, ctx, b, c)
	stopped := make(chan error, 1)
	go func() {
		stopped <- (&campaign.Coordinator{Ledger: l, Queue: q, Window: 100, Say: heard.say}).Run(ctx)
	}()
	for !heard.has("no room left") {
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	small.Close()
	s, b := serve(t, dir)
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	work(t, ctx, connect(t, s), 1)
	if got := coordinate(t, ctx, b, c); !bytes.Equal(got, want) {
		t.Errorf("after there was room\n%s\nat once\n%s", got, want)
	}
}

// An item that cannot be done is listed with its reason.
func TestFailed(t *testing.T) {
	t.Parallel()
	s, b := serve(t, t.TempDir())
	c := many(t, 1)
	c.Strands[0] = campaign.Strand{Job: "run", Request: []byte(`{"file": "example:nothing"}`)}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	work(t, ctx, connect(t, s), 1)
	if got := string(coordinate(t, ctx, b, c)); !strings.Contains(got, `"why": "`) || !strings.Contains(got, "nothing") || !strings.Contains(got, `"verdict": "unknown"`) {
		t.Errorf("the result is\n%s", got)
	}
}
