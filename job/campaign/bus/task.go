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

// task is an item that this worker has taken.
type task struct {
	campaign.Item
	times int // how often it was given to somebody, this time included
	b     *Bus
	id    string
	msg   jetstream.Msg
}

// take takes items of a campaign, as many as there are, and at most so many. It waits a little for one if there is none. With an error, too, it may have taken some.
func (b *Bus) take(ctx context.Context, id string, most int, wait time.Duration) (list []*task, err error) {
	c := b.taking[id]
	if c == nil {
		if c, err = b.js.Consumer(ctx, itemStream(id), "workers"); err != nil {
			return nil, told(err)
		}
		b.taking[id] = c
	}
	msgs, err := fetched(c.FetchNoWait(most))
	if len(msgs) == 0 && err == nil {
		short, cancel := context.WithTimeout(ctx, wait)
		msgs, err = fetched(c.Fetch(1, jetstream.FetchContext(short)))
		cancel()
	}
	if err != nil {
		delete(b.taking, id) // another server may be asked next time
	}
	for _, msg := range msgs {
		t, bad := b.task(ctx, id, msg)
		if bad != nil {
			err = errors.Join(err, bad)
		} else {
			list = append(list, t)
		}
	}
	return list, err
}

// fetched is the messages of a batch.
func fetched(batch jetstream.MessageBatch, err error) (list []jetstream.Msg, _ error) {
	if err != nil {
		return nil, told(err)
	}
	for msg := range batch.Messages() {
		list = append(list, msg)
	}
	if err = batch.Error(); errors.Is(err, jetstream.ErrNoMessages) || errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return list, told(err)
}

// task is the item of a message.
func (b *Bus) task(ctx context.Context, id string, msg jetstream.Msg) (*task, error) {
	meta, err := msg.Metadata()
	if err != nil {
		return nil, err
	}
	t := &task{b: b, id: id, msg: msg, times: int(meta.NumDelivered)}
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

// working says that the item is being done, so that nobody else gets it.
func (t *task) working() error { return told(t.msg.InProgress()) }

// store stores the result, and then takes the item out of the queue. If the server does not hear the latter, somebody will do the item again.
func (t *task) store(ctx context.Context, r *campaign.Result) error {
	data, err := t.b.pack(ctx, r)
	if err != nil {
		return err
	}
	if err := t.b.publish(ctx, resultSubject(t.id, t.Item.ID()), data); err != nil {
		return err
	}
	return told(t.msg.Ack())
}

// giveBack has somebody else do the item, after a while.
func (t *task) giveBack(after time.Duration) error { return told(t.msg.NakWithDelay(after)) }
