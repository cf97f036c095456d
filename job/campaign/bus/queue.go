package bus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"motehound/job/campaign"
)

// Queue is a campaign's items and results, for its coordinator.
type Queue struct {
	*Bus
	id      string
	next    uint64 // the first result that was not read
	at      map[string]uint64
	items   jetstream.Stream
	results jetstream.Stream
	workers jetstream.Consumer
}

// Queue opens the queue of a campaign.
func (b *Bus) Queue(ctx context.Context, id string) (q *Queue, err error) {
	err = b.patiently(ctx, func() error {
		q, err = b.queue(ctx, id)
		return err
	})
	return q, err
}

func (b *Bus) queue(ctx context.Context, id string) (q *Queue, err error) {
	q = &Queue{Bus: b, id: id, next: 1, at: make(map[string]uint64)}
	if q.items, err = b.js.Stream(ctx, itemStream(id)); err != nil {
		return nil, told(err)
	}
	if q.results, err = b.js.Stream(ctx, resultStream(id)); err != nil {
		return nil, told(err)
	}
	q.workers, err = b.workers(ctx, id)
	return q, err
}

// Offer implements campaign.Queue.
func (q *Queue) Offer(ctx context.Context, list []campaign.Item) error {
	return together(len(list), func(i int) error {
		data, err := q.pack(ctx, list[i])
		if err != nil {
			return err
		}
		return q.publish(ctx, itemSubject(q.id, list[i].ID()), data)
	})
}

// Results implements campaign.Queue. What cannot be read is taken away, so that there is room for what can.
func (q *Queue) Results(ctx context.Context) (list []*campaign.Result, err error) {
	info, err := q.results.Info(ctx)
	if err != nil {
		return nil, told(err)
	}
	read := make([]*campaign.Result, min(campaign.MostResults, info.State.LastSeq+1-min(q.next, info.State.LastSeq+1)))
	there := make([]bool, len(read))
	err = together(len(read), func(i int) (err error) {
		read[i], err = q.result(ctx, q.next+uint64(i))
		there[i] = err == nil
		return err
	})
	for i := 0; i < len(read) && there[i]; i++ { // those after one that could not be read are read again
		if r := read[i]; r != nil {
			q.at[r.Item.ID()] = q.next
			list = append(list, r)
		}
		q.next++
	}
	return list, err
}

// result reads a result. There may be none.
func (q *Queue) result(ctx context.Context, at uint64) (*campaign.Result, error) {
	msg, err := q.results.GetMsg(ctx, at)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, told(err)
	}
	r := new(campaign.Result)
	err = q.unpack(ctx, msg.Data, r)
	if errors.Is(err, campaign.ErrUnavailable) {
		return nil, err
	}
	item := strings.TrimPrefix(msg.Subject, resultSubject(q.id, ""))
	if err != nil || r.Item.ID() != item {
		r = &campaign.Result{Campaign: fmt.Sprintf("garbage: %.60q", msg.Data)}
		r.Item.Strand = -1
		if err := q.results.DeleteMsg(ctx, at); err != nil {
			return nil, told(err)
		}
	}
	return r, nil
}

// Again implements campaign.Queue.
func (q *Queue) Again() { q.next = 1 }

// Refuse implements campaign.Queue.
func (q *Queue) Refuse(ctx context.Context, r *campaign.Result) error {
	at := q.at[r.Item.ID()]
	err := q.results.DeleteMsg(ctx, at)
	if at == 0 || errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		return nil
	}
	return told(err)
}

// Waiting implements campaign.Queue.
func (q *Queue) Waiting(ctx context.Context) (waiting, working int, err error) {
	info, err := q.workers.Info(ctx)
	if err != nil {
		return 0, 0, told(err)
	}
	s, err := q.items.Info(ctx)
	if err != nil {
		return 0, 0, told(err)
	}
	working = info.NumAckPending
	return max(0, int(s.State.Msgs)-working), working, nil
}

// Pause implements campaign.Queue.
func (q *Queue) Pause(ctx context.Context) error { return q.Bus.wait(ctx, 100*time.Millisecond) }

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
