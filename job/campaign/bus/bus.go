package bus

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"motehound/job/campaign"
)

// Access is how to reach a server.
type Access struct {
	URL         string // several with commas
	Token       string // of a server in another process of ours
	Credentials string // a file of the server's account
	CA          string // files for TLS
	Cert, Key   string
	Name        string // of this process, for people
	// Wait waits: for a server without a leader, for results. Nil: it is not waited for.
	Wait func(context.Context, time.Duration) error
	// Once says that the connection does not come back: who asks a server that has died is told so.
	Once bool
}

// Bus is a connection to a server.
type Bus struct {
	nc       *nats.Conn
	js       jetstream.JetStream
	index    jetstream.KeyValue
	objects  jetstream.ObjectStore
	replicas int
	taking   map[string]jetstream.Consumer // by campaign, of a worker
	wait     func(context.Context, time.Duration) error
}

// patiently tries again what may work later: a cluster that was just started has no leader yet.
func (b *Bus) patiently(ctx context.Context, do func() error) error {
	const tries = 60
	for n := 0; ; n++ {
		err := do()
		if !errors.Is(err, campaign.ErrUnavailable) || n == tries || b.wait == nil || b.wait(ctx, 500*time.Millisecond) != nil {
			return err
		}
	}
}

const (
	indexBucket = "motehound_campaigns"
	fileBucket  = "motehound_files"
	// patience is how long an answer may take.
	patience = 5 * time.Second
	// lagging is how often a cluster is asked again for what it does not have: another of its servers may have it.
	lagging = 10
	// largest is the most of a message: what is larger goes into the object store.
	largest = 200 << 10
)

// Connect reaches a server. It comes back by itself when the server does, unless it is wanted once.
func Connect(ctx context.Context, a Access) (*Bus, error) {
	opt := []nats.Option{nats.Name("motehound " + a.Name), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.Timeout(patience)}
	if a.Once {
		opt = append(opt, nats.NoReconnect())
	}
	if a.Token != "" {
		opt = append(opt, nats.Token(a.Token))
	}
	if a.Credentials != "" {
		opt = append(opt, nats.UserCredentials(a.Credentials))
	}
	if a.CA != "" {
		opt = append(opt, nats.RootCAs(a.CA))
	}
	if a.Cert != "" || a.Key != "" {
		opt = append(opt, nats.ClientCert(a.Cert, a.Key))
	}
	nc, err := nats.Connect(a.URL, opt...)
	if err != nil {
		return nil, fmt.Errorf("no server for campaigns at %s: %w", a.URL, advised(err))
	}
	b := &Bus{nc: nc, wait: a.Wait, taking: make(map[string]jetstream.Consumer)}
	if err := b.patiently(ctx, func() error { return b.open(ctx) }); err != nil {
		nc.Close()
		return nil, fmt.Errorf("the server at %s: %w", a.URL, err)
	}
	return b, nil
}

// advised says what to do about a server that does not let us in.
func advised(err error) error {
	text, bad := err.Error(), new(tls.CertificateVerificationError)
	switch {
	case errors.As(err, &bad):
		return fmt.Errorf("%w: give its authority with --nats-ca", err)
	case strings.Contains(text, "remote error: tls"), strings.Contains(text, "remote after TLS handshake"): // the second if the server was faster to close than to say so
		return fmt.Errorf("%w: it does not accept the certificate that it is shown: see --nats-cert and --nats-key", err)
	case errors.Is(err, nats.ErrAuthorization) || strings.Contains(strings.ToLower(text), "authorization"):
		return fmt.Errorf("%w: it wants to know who you are: see --nats-creds", err)
	}
	return err
}

// open makes what all campaigns share, if it is not there. A cluster keeps three of everything.
func (b *Bus) open(ctx context.Context) (err error) {
	if b.js, err = jetstream.New(b.nc, jetstream.WithDefaultTimeout(patience)); err != nil {
		return err
	}
	b.replicas = 1
	if b.nc.ConnectedClusterName() != "" && len(b.nc.Servers()) >= 3 {
		b.replicas = 3
	}
	if b.index, err = b.js.KeyValue(ctx, indexBucket); errors.Is(err, jetstream.ErrBucketNotFound) {
		b.index, err = b.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: indexBucket, Replicas: b.replicas})
	}
	if err != nil {
		return told(err)
	}
	if b.objects, err = b.js.ObjectStore(ctx, fileBucket); errors.Is(err, jetstream.ErrBucketNotFound) {
		b.objects, err = b.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: fileBucket, Replicas: b.replicas})
	}
	return told(err)
}

// Close ends the connection.
func (b *Bus) Close() { b.nc.Close() }

// told says what an error means. Those that may pass are campaign.ErrUnavailable.
func told(err error) error {
	if err == nil {
		return nil
	}
	var api *jetstream.APIError
	if errors.As(err, &api) {
		switch {
		case api.ErrorCode == 10023 || api.ErrorCode == 10047 || strings.Contains(api.Description, "storage"):
			return fmt.Errorf("%w: there is no room left on it, free some and it goes on (%v)", campaign.ErrUnavailable, err)
		case api.Code == 503 || api.ErrorCode == 10005 || api.ErrorCode == 10008 || api.ErrorCode == 10118: // no leader, or too few servers, at the moment
			return fmt.Errorf("%w: %v", campaign.ErrUnavailable, err)
		}
		return err
	}
	if lasts(err) {
		return err
	}
	return fmt.Errorf("%w: %v", campaign.ErrUnavailable, err)
}

// lasts tells whether an error is one that does not pass by itself. There are more ways for a connection to fail than can be listed, so those that last are.
func lasts(err error) bool {
	is := func(list ...error) bool {
		return slices.ContainsFunc(list, func(one error) bool { return errors.Is(err, one) })
	}
	var ours jetstream.JetStreamError
	if errors.As(err, &ours) {
		return !is(jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrDigestMismatch, jetstream.ErrConsumerLeadershipChanged)
	}
	return is(context.Canceled, nats.ErrConnectionClosed, nats.ErrMaxPayload, nats.ErrAuthorization, nats.ErrPermissionViolation, nats.ErrBadSubject)
}

// Listed is a campaign that the server knows.
type Listed struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Version string `json:"version"`
	State   string `json:"state"`
}

// The states of a campaign.
const (
	Running  = "running"
	Finished = "finished"
	Stopped  = "stopped"
)

// Create makes a campaign known, with its files. One that is known goes on.
func (b *Bus) Create(ctx context.Context, c *campaign.Campaign, files map[string][]byte) error {
	return b.patiently(ctx, func() error { return b.create(ctx, c, files) })
}

func (b *Bus) create(ctx context.Context, c *campaign.Campaign, files map[string][]byte) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	id := c.ID()
	for _, f := range c.Files {
		if err := b.Keep(ctx, f.SHA256, files[f.SHA256]); err != nil {
			return err
		}
	}
	if err := b.Keep(ctx, id, data); err != nil {
		return err
	}
	for name, cfg := range map[string]jetstream.StreamConfig{
		itemStream(id):   {Subjects: []string{itemSubject(id, ">")}, Retention: jetstream.WorkQueuePolicy},
		resultStream(id): {Subjects: []string{resultSubject(id, ">")}, Retention: jetstream.LimitsPolicy}, // no AllowDirect: a server that lags behind would answer, too
	} {
		cfg.Name, cfg.Replicas, cfg.Storage = name, b.replicas, jetstream.FileStorage
		if _, err := b.js.CreateStream(ctx, cfg); err != nil && !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return told(err)
		}
	}
	if _, err := b.workers(ctx, id); err != nil {
		return err
	}
	return b.SetState(ctx, c, Running)
}

// SetState says how far a campaign is.
func (b *Bus) SetState(ctx context.Context, c *campaign.Campaign, state string) error {
	data, err := json.Marshal(Listed{ID: c.ID(), Title: c.Title, Version: c.Version, State: state})
	if err != nil {
		return err
	}
	return b.patiently(ctx, func() error {
		_, err := b.index.Put(ctx, c.ID(), data)
		return told(err)
	})
}

// List is the campaigns that the server knows, in the order of their ids.
func (b *Bus) List(ctx context.Context) (all []Listed, err error) {
	const prefix = "$KV." + indexBucket + "."
	stream, err := b.js.Stream(ctx, "KV_"+indexBucket)
	if err != nil {
		return nil, told(err)
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(prefix+">")) // a request: a list that is watched may never end when the server does
	if err != nil {
		return nil, told(err)
	}
	for _, subject := range slices.Sorted(maps.Keys(info.State.Subjects)) {
		key := strings.TrimPrefix(subject, prefix)
		e, err := b.index.Get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue
		}
		if err != nil {
			return nil, told(err)
		}
		var l Listed
		if json.Unmarshal(e.Value(), &l) != nil || l.ID != key {
			l = Listed{ID: key, Title: "(damaged: its entry cannot be read)", State: Stopped}
		}
		all = append(all, l)
	}
	return all, nil
}

// Campaign is what a campaign is about.
func (b *Bus) Campaign(ctx context.Context, id string) (*campaign.Campaign, error) {
	data, err := b.Blob(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("campaign %s: %w", id, err)
	}
	c := new(campaign.Campaign)
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("campaign %s is damaged: %w", id, err)
	}
	if got := c.ID(); got != id {
		return nil, fmt.Errorf("campaign %s is refused: its contents are those of %s", id, got)
	}
	return c, c.Check()
}

// Keep makes something known by a name, which is its hash or a campaign's id.
func (b *Bus) Keep(ctx context.Context, name string, data []byte) error {
	return told(slowly(ctx, func(ctx context.Context) error {
		if info, err := b.objects.GetInfo(ctx, name); err == nil && info.Size == uint64(len(data)) {
			return nil
		}
		_, err := b.objects.PutBytes(ctx, name, data)
		return err
	}))
}

// slowly does something that has several answers, or large ones. An answer that a server owes that has died never comes, so it is not waited for as long as large
// ones may take, at first.
func slowly(ctx context.Context, do func(context.Context) error) (err error) {
	for _, most := range []time.Duration{patience, 3 * patience, 12 * patience} {
		short, cancel := context.WithTimeout(ctx, most)
		err = do(short)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, os.ErrDeadlineExceeded) || ctx.Err() != nil {
			break
		}
	}
	return err
}

// Blob gets what was kept. Whoever knows its hash compares it.
func (b *Bus) Blob(ctx context.Context, name string) ([]byte, error) {
	var data []byte
	get := func(ctx context.Context) (err error) {
		data, err = b.objects.GetBytes(ctx, name)
		return err
	}
	err := slowly(ctx, get)
	for n := 0; n < lagging && b.replicas > 1 && errors.Is(err, jetstream.ErrObjectNotFound) && b.wait != nil && b.wait(ctx, 500*time.Millisecond) == nil; n++ {
		err = slowly(ctx, get)
	}
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, fmt.Errorf("the server has nothing named %s", name)
	}
	return data, told(err)
}

// together does something n times, some at a time: a server answers many as fast as one. What has not begun when one fails is left.
func together(n int, do func(i int) error) error {
	const most = 32
	var all sync.WaitGroup
	errs := make([]error, n)
	var failed atomic.Bool
	room := make(chan struct{}, most)
	for i := range n {
		room <- struct{}{}
		all.Go(func() {
			if !failed.Load() {
				errs[i] = do(i)
			}
			if errs[i] != nil {
				failed.Store(true)
			}
			<-room
		})
	}
	all.Wait()
	return cmp.Or(errs...)
}

func itemStream(id string) string          { return "MOTEHOUND_ITEMS_" + id }
func resultStream(id string) string        { return "MOTEHOUND_RESULTS_" + id }
func itemSubject(id, item string) string   { return "motehound.items." + id + "." + item }
func resultSubject(id, item string) string { return "motehound.results." + id + "." + item }

// pack is a message: what it says, or where that is.
func (b *Bus) pack(ctx context.Context, what any) ([]byte, error) {
	data, err := json.Marshal(what)
	if err != nil || len(data) <= largest {
		return data, err
	}
	name := hashOf(data)
	if err := b.Keep(ctx, name, data); err != nil {
		return nil, err
	}
	return json.Marshal(elsewhere{Object: name})
}

type elsewhere struct {
	Object string `json:"motehound_object"`
}

// unpack reads a message.
func (b *Bus) unpack(ctx context.Context, data []byte, what any) error {
	var e elsewhere
	if json.Unmarshal(data, &e) == nil && e.Object != "" {
		var err error
		if data, err = b.Blob(ctx, e.Object); err != nil {
			return err
		}
		if hashOf(data) != e.Object {
			return fmt.Errorf("%s is refused: it has another hash", e.Object)
		}
	}
	return json.Unmarshal(data, what)
}

// publish stores a message, unless its subject has one.
func (b *Bus) publish(ctx context.Context, subject string, data []byte) error {
	_, err := b.js.Publish(ctx, subject, data, jetstream.WithExpectLastSequencePerSubject(0))
	var api *jetstream.APIError
	if errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant) {
		return nil // it is there
	}
	return told(err)
}
