// Relay: a line of motes hands messages down to mote 0, the sink.
//
// What one must see: every second (every four on a Mica2) each mote but the sink
// makes a message with its id, a number from 1 up and a count of hops, in an
// active message of type 7, and hands it to the mote whose id is one less; that
// one hands on what it gets, until the sink has it. A message is sent again until
// it is acknowledged, so links may lose; and while a link is cut, messages wait for
// it, eight at most. LED 0 changes when a mote makes a message, LED 1 when it
// passes one on, LED 2 when the sink gets one.
//
// In memory, over all motes, nothing is unaccounted for:
//
//   made = delivered + waiting + droppedOwn + droppedOthers
//
// but that one whose acknowledgement was lost is also waiting at the mote above,
// until it is sent again and refused as a repeat. What the sink got of origin o is
// delivered[o]; it gets each origin's numbers in order, and none twice: repeats
// are refused at each hop, missing numbers are counted. After a mote reboots, what
// waited there is lost, and its numbers begin anew.
#include <string.h>

#include "kernel.h"
#include "leds.h"
#include "radio.h"
#include "random.h"
#include "timer.h"

enum {
    AM_RELAY = 7,
    SINK = 0,
    PERIOD_MS = 1000 * RADIO_PACE,
    MIN_RETRY_MS = 8,
    RETRY_MS = 32 * RADIO_PACE,
    QUEUE_SIZE = 8,
    MAX_ORIGINS = 32,
};

typedef struct {
    nx_uint16_t origin;
    nx_uint16_t number;
    nx_uint8_t hops;
} relay_t;

// Oldest first. The first is the one that is being sent.
static relay_t RelayC__queue[QUEUE_SIZE];

static message_t RelayC__message;
static bool RelayC__isSending;
static bool RelayC__isPaused;     // until the timer fires

// What was last taken from the mote above: it sends one until it hears that we
// have it, so that only the last can be repeated.
static relay_t RelayC__last;

// What is true, for whoever reads the memory of a mote.
uint8_t RelayC__waiting;          // in the queue
uint16_t RelayC__made;
uint16_t RelayC__passedOn;        // taken from the mote above, to go on
uint16_t RelayC__handedOver;      // acknowledged by the mote below
uint16_t RelayC__sentAgain;
uint16_t RelayC__repeats;         // refused, since they were here already
uint16_t RelayC__droppedOwn;      // no room in the queue
uint16_t RelayC__droppedOthers;
uint16_t RelayC__delivered[MAX_ORIGINS];    // the rest is the sink's
uint16_t RelayC__lastNumber[MAX_ORIGINS];
uint16_t RelayC__missing;         // numbers left out
uint8_t RelayC__maxHops;

void BootC__booted(void)
{
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS)
        RadioC__start();
    else if (TOS_NODE_ID != SINK)
        TimerC__startPeriodic(RelayC__Period, PERIOD_MS);
}

static bool RelayC__enqueue(const relay_t *relay)
{
    if (RelayC__waiting == QUEUE_SIZE)
        return false;
    RelayC__queue[RelayC__waiting++] = *relay;
    post(RelayC__forward);
    return true;
}

void RelayC__Period__fired(void)
{
    relay_t relay;

    RelayC__made++;
    LedsP__toggle(LED0);
    nx_set16(&relay.origin, TOS_NODE_ID);
    nx_set16(&relay.number, RelayC__made);
    nx_set8(&relay.hops, 0);
    if (!RelayC__enqueue(&relay))
        RelayC__droppedOwn++;
}

static void RelayC__retryLater(void)
{
    RelayC__isPaused = true;
    TimerC__startOneShot(RelayC__Retry, MIN_RETRY_MS + RandomC__below(RETRY_MS));
}

void RelayC__Retry__fired(void)
{
    RelayC__isPaused = false;
    post(RelayC__forward);
}

void RelayC__forward__runTask(void)
{
    if (RelayC__isSending || RelayC__isPaused || RelayC__waiting == 0)
        return;

    relay_t *relay = (relay_t *)RelayC__message.data;

    *relay = RelayC__queue[0];
    nx_set8(&relay->hops, nx_get8(&relay->hops) + 1);
    if (RadioC__send(TOS_NODE_ID - 1, AM_RELAY, &RelayC__message, sizeof *relay) == SUCCESS)
        RelayC__isSending = true;
    else
        RelayC__retryLater();
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    RelayC__isSending = false;
    if (!wasAcked) {
        RelayC__sentAgain++;
        RelayC__retryLater();
        return;
    }
    RelayC__handedOver++;
    RelayC__waiting--;
    memmove(&RelayC__queue[0], &RelayC__queue[1], RelayC__waiting * sizeof RelayC__queue[0]);
    post(RelayC__forward);
}

static void RelayC__deliver(const relay_t *relay)
{
    uint16_t origin = nx_get16(&relay->origin);
    uint16_t number = nx_get16(&relay->number);
    uint8_t hops = nx_get8(&relay->hops);

    LedsP__toggle(LED2);
    if (hops > RelayC__maxHops)
        RelayC__maxHops = hops;
    if (origin >= MAX_ORIGINS)
        return;
    RelayC__delivered[origin]++;
    // Numbers begin anew when a mote does.
    if (number > RelayC__lastNumber[origin])
        RelayC__missing += number - RelayC__lastNumber[origin] - 1;
    RelayC__lastNumber[origin] = number;
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const relay_t *relay = (const relay_t *)message->data;

    if (nx_get8(&message->header.type) != AM_RELAY || length != sizeof *relay)
        return message;
    if (memcmp(relay, &RelayC__last, sizeof *relay) == 0) {
        RelayC__repeats++;
        return message;
    }
    RelayC__last = *relay;
    if (TOS_NODE_ID == SINK) {
        RelayC__deliver(relay);
    } else if (RelayC__enqueue(relay)) {
        RelayC__passedOn++;
        LedsP__toggle(LED1);
    } else {
        RelayC__droppedOthers++;
    }
    return message;
}
