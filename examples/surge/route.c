// The way to the root, and messages on it.
#include <string.h>

#include "radio.h"
#include "random.h"
#include "surge.h"
#include "timer.h"
#include "trace.h"

enum {
    BEACON_MS = 8192,
    MAX_AGE = 4,          // beacons of ours, in which the parent's must come
    NUM_MESSAGES = 4,
    MAX_TRIES = 4,
    RETRY_MS = 16 * RADIO_PACE,
    NO_PARENT = 0xFFFF,
    FAR = 0xFF,
};

typedef struct {
    nx_uint8_t hops;
} beacon_t;

// Messages that wait to be sent, oldest first; the first may be on its way.
static message_t RouteP__messages[NUM_MESSAGES];
static uint8_t RouteP__first, RouteP__waiting;
static bool RouteP__isSending;
static uint8_t RouteP__tries;

static am_addr_t RouteP__parent = NO_PARENT;
static uint8_t RouteP__hops = FAR;
static uint8_t RouteP__age;

// What is true, for whoever reads the memory of a mote.
uint16_t RouteP__dropped;    // of others

void RouteP__start(void)
{
    if (TOS_NODE_ID == ROOT)
        RouteP__hops = 0;
    TimerC__startOneShot(RouteP__Beacon, 64 + RandomC__below(1024));
}

// A place at the end of the queue, or NULL.
static message_t *RouteP__take(am_addr_t dest, uint8_t type, uint8_t length)
{
    if (RouteP__waiting == NUM_MESSAGES)
        return NULL;

    message_t *message = &RouteP__messages[(RouteP__first + RouteP__waiting) % NUM_MESSAGES];

    RouteP__waiting++;
    nx_set16(&message->header.dest, dest);
    nx_set8(&message->header.type, type);
    nx_set8(&message->header.length, length);
    post(RouteP__forward);
    return message;
}

bool RouteP__send(const reading_t *reading)
{
    message_t *message = NULL;

    if (RouteP__parent != NO_PARENT)
        message = RouteP__take(RouteP__parent, AM_READING, sizeof *reading);
    if (message == NULL)
        return false;
    memcpy(message->data, reading, sizeof *reading);
    return true;
}

void RouteP__Beacon__fired(void)
{
    TimerC__startOneShot(RouteP__Beacon, BEACON_MS - 512 + RandomC__below(1024));
    if (TOS_NODE_ID != ROOT && ++RouteP__age > MAX_AGE) {
        RouteP__parent = NO_PARENT;
        RouteP__hops = FAR;
    }
    if (RouteP__hops == FAR)
        return;

    message_t *message = RouteP__take(TOS_BCAST_ADDR, AM_BEACON, sizeof(beacon_t));

    if (message != NULL) {
        beacon_t *beacon = (beacon_t *)message->data;

        nx_set8(&beacon->hops, RouteP__hops);
    }
}

void RouteP__forward__runTask(void)
{
    message_t *message = &RouteP__messages[RouteP__first];

    if (RouteP__waiting == 0 || RouteP__isSending)
        return;
    if (RadioC__send(nx_get16(&message->header.dest), nx_get8(&message->header.type), message,
                     nx_get8(&message->header.length)) == SUCCESS)
        RouteP__isSending = true;
    else
        TimerC__startOneShot(RouteP__Retry, RETRY_MS);
}

void RouteP__Retry__fired(void)
{
    post(RouteP__forward);
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    bool isDone = wasAcked || nx_get16(&message->header.dest) == TOS_BCAST_ADDR;

    RouteP__isSending = false;
    if (!isDone && ++RouteP__tries < MAX_TRIES) {
        TimerC__startOneShot(RouteP__Retry, 1 + RandomC__below(RETRY_MS));
        return;
    }

    const reading_t *reading = (const reading_t *)message->data;

    if (nx_get8(&message->header.type) == AM_READING) {
        if (nx_get16(&reading->origin) == TOS_NODE_ID)
            SurgeC__sendDone(isDone);
        else if (!isDone)
            RouteP__dropped++;
    }
    RouteP__tries = 0;
    RouteP__first = (RouteP__first + 1) % NUM_MESSAGES;
    RouteP__waiting--;
    post(RouteP__forward);
#ifdef TRACED
    post(TraceC__reply);
#endif
}

static void RouteP__heardBeacon(am_addr_t from, const beacon_t *beacon)
{
    uint8_t hops = nx_get8(&beacon->hops);

    if (TOS_NODE_ID == ROOT || hops >= FAR - 1)
        return;
    if (from == RouteP__parent || hops + 1 < RouteP__hops) {
        RouteP__parent = from;
        RouteP__hops = hops + 1;
        RouteP__age = 0;
    }
}

static void RouteP__heardReading(reading_t *reading)
{
    if (TOS_NODE_ID == ROOT) {
        SurgeC__delivered(reading);
        return;
    }
    nx_set8(&reading->hops, nx_get8(&reading->hops) + 1);
    if (!RouteP__send(reading))
        RouteP__dropped++;
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    switch (nx_get8(&message->header.type)) {
    case AM_BEACON:
        if (length == sizeof(beacon_t))
            RouteP__heardBeacon(nx_get16(&message->header.src), (const beacon_t *)message->data);
        break;
    case AM_READING:
        if (length == sizeof(reading_t))
            RouteP__heardReading((reading_t *)message->data);
        break;
#ifdef TRACED
    case AM_TRACE:
        TraceC__take(message, length);
        break;
#endif
    }
    return message;
}

#ifdef TRACED
// The tracer's own messages are no part of the trace.
#define QUIET __attribute__((no_instrument_function))

// The place is only taken when there is something to send.
QUIET message_t *TraceC__lend(void)
{
    if (RouteP__waiting == NUM_MESSAGES)
        return NULL;
    return &RouteP__messages[(RouteP__first + RouteP__waiting) % NUM_MESSAGES];
}

QUIET error_t TraceC__send(am_addr_t to, message_t *message, uint8_t length)
{
    return RouteP__take(to, AM_TRACE, length) == message ? SUCCESS : FAIL;
}
#endif
