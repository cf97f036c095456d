// Reports on their way to the root, our own and those of motes behind us, oldest first.
// The bug is CTP's in TinyOS 2.1.0: the forwarder takes the radio for its own, so that
// a send that is refused was never thought of, and leaves it waiting for a sendDone.
#include <string.h>

#include "am_queue.h"
#include "hang.h"
#include "leds.h"
#include "random.h"
#include "timer.h"

enum {
    QUEUE_SIZE = 12,
    MAX_TRIES = 30,
    MAX_HOPS = 30,
    MIN_PAUSE_MS = RADIO_PACE,
    PAUSE_MS = 16 * RADIO_PACE,
    NUM_NOTES = 4,
};

static collect_data_t ForwarderP__queue[QUEUE_SIZE];
static message_t ForwarderP__message;
static bool ForwarderP__isSending;
static bool ForwarderP__isPaused;    // until the timer fires
static uint8_t ForwarderP__tries;    // of the first in the queue
static collect_data_t ForwarderP__last;    // from another mote

// What is true, for whoever reads the memory of a mote.
uint8_t ForwarderP__waiting;
uint16_t ForwarderP__forwarded;      // taken from others, to go on
uint16_t ForwarderP__handedOver;     // acknowledged by the parent
uint16_t ForwarderP__sentAgain;
uint16_t ForwarderP__repeats;
uint16_t ForwarderP__droppedFull;    // no room, for one's own or others'
uint16_t ForwarderP__droppedTries;
uint16_t ForwarderP__putOff;         // refused, and to be tried again: the fixed build's
uint16_t ForwarderP__failed;
uint16_t ForwarderP__failedTime[NUM_NOTES];
uint16_t ForwarderP__failedReport[NUM_NOTES];
uint16_t ForwarderP__failedOrigin[NUM_NOTES];

// Does the same whether or not it is true, so that it is not this by which an
// interval is told from others.
static inline void ForwarderP__note(error_t error)
{
    uint8_t i = (uint8_t)ForwarderP__failed % NUM_NOTES;

    ForwarderP__failedTime[i] = TimerC__getNow();
    ForwarderP__failedReport[i] = nx_get16(&ForwarderP__queue[0].number);
    ForwarderP__failedOrigin[i] = nx_get16(&ForwarderP__queue[0].origin);
    ForwarderP__failed += (uint16_t)error * 52 >> 8;    // 1 for EBUSY, 0 for SUCCESS, without a branch
}

static void ForwarderP__pause(void)
{
    ForwarderP__isPaused = true;
    TimerC__startOneShot(ForwarderP__Resume, MIN_PAUSE_MS + RandomC__below(PAUSE_MS));
}

void ForwarderP__Resume__fired(void)
{
    ForwarderP__isPaused = false;
    post(ForwarderP__forward);
}

static bool ForwarderP__enqueue(const collect_data_t *data)
{
    if (ForwarderP__waiting == QUEUE_SIZE) {
        ForwarderP__droppedFull++;
        return false;
    }
    ForwarderP__queue[ForwarderP__waiting++] = *data;
    return true;
}

bool ForwarderP__put(const collect_data_t *data)
{
    post(ForwarderP__forward);
    return ForwarderP__enqueue(data);
}

static void ForwarderP__next(void)
{
    ForwarderP__tries = 0;
    ForwarderP__waiting--;
    memmove(&ForwarderP__queue[0], &ForwarderP__queue[1], ForwarderP__waiting * sizeof ForwarderP__queue[0]);
}

static error_t ForwarderP__send(void)
{
    collect_data_t *data = (collect_data_t *)ForwarderP__message.data;

    *data = ForwarderP__queue[0];
    nx_set8(&data->hops, nx_get8(&data->hops) + 1);
    nx_set16(&data->cost, RouterP__cost());
    return AMQueueP__send(ForwarderP__Data, RouterP__parent(), AM_COLLECT_DATA, &ForwarderP__message, sizeof *data);
}

// Without a parent everything waits: the router posts this when there is one.
void ForwarderP__forward__runTask(void)
{
    if (ForwarderP__isSending || ForwarderP__isPaused || ForwarderP__waiting == 0 || RouterP__parent() == NO_MOTE)
        return;
    ForwarderP__isSending = true;

    error_t error = ForwarderP__send();

#ifdef FIXED
    ForwarderP__note(SUCCESS);
    if (error != SUCCESS) {
        ForwarderP__isSending = false;
        ForwarderP__putOff++;
        ForwarderP__pause();
    }
#else
    ForwarderP__note(error);
#endif
}

void ForwarderP__Data__sendDone(message_t *message, error_t error, bool wasAcked)
{
    ForwarderP__isSending = false;
    if (error == SUCCESS) {
        EstimatorP__sent(nx_get16(&message->header.dest), wasAcked);
        post(RouterP__update);
    }
    if (wasAcked) {
        ForwarderP__handedOver++;
        ForwarderP__next();
        post(ForwarderP__forward);
        return;
    }
    ForwarderP__sentAgain++;
    if (++ForwarderP__tries == MAX_TRIES) {
        ForwarderP__droppedTries++;
        ForwarderP__next();
    }
    ForwarderP__pause();
}

// Who did not hear our acknowledgement sends again.
static bool ForwarderP__isRepeat(const collect_data_t *data)
{
    if (memcmp(data, &ForwarderP__last, offsetof(collect_data_t, cost)) == 0)
        return true;
    ForwarderP__last = *data;
    return false;
}

// What comes from others goes on after a moment, in which they may send the next.
void ForwarderP__received(const collect_data_t *data)
{
    if (ForwarderP__isRepeat(data)) {
        ForwarderP__repeats++;
    } else if (TOS_NODE_ID == ROOT) {
        CollectC__deliver(data);
    } else if (nx_get8(&data->hops) < MAX_HOPS && ForwarderP__enqueue(data)) {
        ForwarderP__forwarded++;
        LedsP__toggle(LED1);
        if (!ForwarderP__isPaused)
            ForwarderP__pause();
    }
}
