package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"motehound/job/campaign"
)

// Deadline is how long a worker may be silent before somebody else gets its item.
const Deadline = 15 * time.Second

// workers is the consumer that all workers of a campaign share.
func (b *Bus) workers(ctx context.Context, id string) (jetstream.Consumer, error) {
	c, err := b.js.CreateOrUpdateConsumer(ctx, itemStream(id), jetstream.ConsumerConfig{Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: Deadline, MaxAckPending: -1, Replicas: b.replicas})
	return c, told(err)
}

// Task is an item that this worker has taken.
type Task struct {
	campaign.Item
	Times int // how often it was given to somebody, this time included
	b     *Bus
	id    string
	msg   jetstream.Msg
}

// Take takes an item of a campaign. It waits for one a little, and gives nil if there is none.
func (b *Bus) Take(ctx context.Context, id string, wait time.Duration) (*Task, error) {
	c, err := b.js.Consumer(ctx, itemStream(id), "workers")
	if err != nil {
		return nil, told(err)
	}
	msgs, err := c.Fetch(1, jetstream.FetchMaxWait(wait))
	if err != nil {
		return nil, told(err)
	}
	msg, ok := <-msgs.Messages()
	if !ok {
		err := msgs.Error()
		if errors.Is(err, jetstream.ErrNoMessages) || errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
		return nil, told(err)
	}
	meta, err := msg.Metadata()
	if err != nil {
		return nil, err
	}
	t := &Task{b: b, id: id, msg: msg, Times: int(meta.NumDelivered)}
	err = b.unpack(ctx, msg.Data(), &t.Item)
	if errors.Is(err, campaign.ErrUnavailable) {
		return nil, err
	}
	if err != nil || itemSubject(id, t.Item.ID()) != msg.Subject() {
		if err := msg.Term(); err != nil {
			return nil, told(err)
		}
		return nil, fmt.Errorf("%w: what is in the queue at %s is no item: %.60q", ErrGarbage, msg.Subject(), msg.Data())
	}
	return t, nil
}

// ErrGarbage is something in the queue that is no item. It was taken away.
var ErrGarbage = errors.New("garbage")

// Working says that the item is being done, so that nobody else gets it.
func (t *Task) Working() error { return told(t.msg.InProgress()) }

// Done stores the result, and then takes the item out of the queue.
func (t *Task) Done(ctx context.Context, r *campaign.Result) error {
	data, err := t.b.pack(ctx, r)
	if err != nil {
		return err
	}
	if err := t.b.publish(ctx, resultSubject(t.id, t.Item.ID()), data); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience) // a server that has died does not answer
	defer cancel()
	return told(t.msg.DoubleAck(ctx))
}

// GiveBack has somebody else do the item, after a while.
func (t *Task) GiveBack(after time.Duration) error { return told(t.msg.NakWithDelay(after)) }
