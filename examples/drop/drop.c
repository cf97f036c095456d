// Drop: a source, a relay and a sink in a line, with a bug: the relay drops a packet
// that comes while it is sending the one before (Sentomist, ICDCS 2010, case study II,
// after TinyOS's BlinkToRadio).
//
// What one must see: mote 2, the source, broadcasts its id and a counter in an active
// message of type 6, after random times of 8 to 400 ms (to 800 on a Mica2). Mote 1,
// the relay, broadcasts what it hears from mote 2, and mote 0, the sink, shows the
// lowest bits of the counter on its LEDs. The relay forwards a packet as soon as it
// is received, unless it is still busy with another: it listens before it sends, and
// waits up to 10 ms for that. Then the packet is dropped, and no link lost it.
//
// What must be found: at mote 1, among the intervals of the radio's receive
// interrupt (INT6, vector 8, on a MicaZ; on a Mica2 SPI_STC, vector 18, which comes
// with each byte), those in which a packet was dropped. dropped says how many; droppedAt
// has their numbers among the packets received, from 1, and droppedTime when it was,
// in 1/1024 s since boot; the last 16 are at [i % 16], for i below dropped. On a MicaZ, the relay's nth
// packet is its nth INT6, since nobody else talks to it. dropped stays 0 in the fixed
// build, whose source does not send before it has heard the relay pass on its last
// packet, and in the buffered one, whose relay has a queue.
//
//   motehound run --nodes 3 --topology line --time 20s --var DropC__dropped --var DropC__droppedAt example:drop-micaz
//
// The same is in drop.star; quiet.star has a source so slow that nothing is dropped.
#include <string.h>

#include "kernel.h"
#include "leds.h"
#include "radio.h"
#include "random.h"
#include "timer.h"

enum {
    AM_BLINK_TO_RADIO = 6,
    SINK = 0,
    RELAY = 1,
    SOURCE = 2,
    NUM_NOTES = 16,
    QUEUE_SIZE = 8,

    SPREAD_MS = RADIO_PACE == 1 ? 400 : 800,

    // More than the relay can take, however busy the channel is; see radio.h.
    PATIENCE_MS = 100 * RADIO_PACE,
};

typedef struct {
    nx_uint16_t node;
    nx_uint16_t counter;
} blink_to_radio_t;

static message_t DropC__message;
static bool DropC__busy;         // the radio has the message
static bool DropC__isDue;        // the source's next
static bool DropC__isUnheard;    // the source's last, from the relay; only the fixed build cares

// For a sweep: the source waits for the first, and a random part of the second, in ms.
uint16_t DropC__least = 8;
uint16_t DropC__spread = SPREAD_MS;

// What is true, for whoever reads the memory of a mote.
uint16_t DropC__counter;                 // the source's
uint16_t DropC__received;                // by the relay, or the sink
uint16_t DropC__sent;
uint16_t DropC__notSent;                 // the radio would not
uint16_t DropC__dropped;
uint16_t DropC__droppedAt[NUM_NOTES];
uint16_t DropC__droppedTime[NUM_NOTES];

// Does the same whether or not it is true, so that it is not this by which an
// interval is told from others.
static inline void DropC__note(bool isDropped)
{
    uint8_t i = (uint8_t)DropC__dropped % NUM_NOTES;

    DropC__droppedAt[i] = DropC__received;
    DropC__droppedTime[i] = TimerC__getNow();
    DropC__dropped += isDropped;
}

void BootC__booted(void)
{
    RadioC__start();
}

// Short times are more frequent than long ones.
static void DropC__wait(void)
{
    uint16_t most = RandomC__below(DropC__spread);

    TimerC__startOneShot(DropC__Timer, DropC__least + RandomC__below(most));
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS)
        RadioC__start();
    else if (TOS_NODE_ID == SOURCE)
        DropC__wait();
}

static void DropC__send(const blink_to_radio_t *packet)
{
    memcpy(DropC__message.data, packet, sizeof *packet);
    if (RadioC__send(TOS_BCAST_ADDR, AM_BLINK_TO_RADIO, &DropC__message, sizeof *packet) == SUCCESS)
        DropC__busy = true;
    else
        DropC__notSent++;
}

static void DropC__make(void)
{
    blink_to_radio_t packet;

    DropC__counter++;
    nx_set16(&packet.node, TOS_NODE_ID);
    nx_set16(&packet.counter, DropC__counter);
    DropC__send(&packet);
}

static void DropC__makeIfDue(void)
{
    if (!DropC__isDue)
        return;
    DropC__isDue = false;
    DropC__make();
}

#ifdef FIXED

// Listens for the relay, but not for ever: either may not have heard the other.
static void DropC__sourceSent(void)
{
    DropC__isUnheard = true;
    TimerC__startOneShot(DropC__Patience, PATIENCE_MS);
}

static void DropC__listenNoMore(void)
{
    DropC__isUnheard = false;
    DropC__makeIfDue();
}

void DropC__Patience__fired(void)
{
    DropC__listenNoMore();
}

static void DropC__overhear(const blink_to_radio_t *packet)
{
    if (!DropC__isUnheard || nx_get16(&packet->counter) != DropC__counter)
        return;
    TimerC__stop(DropC__Patience);
    DropC__listenNoMore();
}

#else

static void DropC__overhear(const blink_to_radio_t *packet)
{
}

static void DropC__sourceSent(void)
{
    DropC__makeIfDue();
}

#endif

// If it must wait, the next packet is made when it need not.
void DropC__Timer__fired(void)
{
    DropC__wait();
    if (DropC__busy || DropC__isUnheard)
        DropC__isDue = true;
    else
        DropC__make();
}

#ifdef BUFFERED

static blink_to_radio_t DropC__queue[QUEUE_SIZE];    // a ring
static uint8_t DropC__first;
static uint8_t DropC__waiting;

static void DropC__forward(const blink_to_radio_t *packet)
{
    bool isFull = DropC__waiting == QUEUE_SIZE;

    DropC__note(isFull);
    if (!DropC__busy) {
        DropC__send(packet);
    } else if (!isFull) {
        DropC__queue[(DropC__first + DropC__waiting) % QUEUE_SIZE] = *packet;
        DropC__waiting++;
    }
}

static void DropC__relaySent(void)
{
    if (DropC__waiting == 0)
        return;
    DropC__send(&DropC__queue[DropC__first]);
    DropC__first = (DropC__first + 1) % QUEUE_SIZE;
    DropC__waiting--;
}

#else

static void DropC__forward(const blink_to_radio_t *packet)
{
    DropC__note(DropC__busy);
    if (!DropC__busy)
        DropC__send(packet);
}

static void DropC__relaySent(void)
{
}

#endif

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    DropC__busy = false;
    if (error == SUCCESS)
        DropC__sent++;
    else
        DropC__notSent++;
    if (TOS_NODE_ID == SOURCE)
        DropC__sourceSent();
    else
        DropC__relaySent();
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const blink_to_radio_t *packet = (const blink_to_radio_t *)message->data;

    if (nx_get8(&message->header.type) != AM_BLINK_TO_RADIO || length != sizeof *packet)
        return message;
    if (TOS_NODE_ID == SOURCE) {
        DropC__overhear(packet);
        return message;
    }
    DropC__received++;
    LedsP__set(nx_get16(&packet->counter));
    if (TOS_NODE_ID == RELAY)
        DropC__forward(packet);
    return message;
}
