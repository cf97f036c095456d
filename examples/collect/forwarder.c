// Readings on their way to the root: our own and those of motes behind us, oldest
// first. Each is sent to the parent until it is acknowledged; every failure is told
// to the estimator, so that the parent may be another one next time.
#include <string.h>

#include "am_queue.h"
#include "collect.h"
#include "leds.h"
#include "random.h"
#include "timer.h"

enum {
    QUEUE_SIZE = 16,
    NUM_RECENT = 12,
    MAX_TRIES = 60,
    MAX_HOPS = 30,
    MIN_RETRY_MS = RADIO_PACE,
    RETRY_MS = 4 * RADIO_PACE,
    MAX_DOUBLINGS = 5,

    // As long as it takes to tell the neighbours.
    LOOP_MS = TRICKLE_LOW_MS,
};

static collect_data_t ForwarderP__queue[QUEUE_SIZE];
static message_t ForwarderP__message;
static bool ForwarderP__isSending;
static bool ForwarderP__isPaused;    // until the timer fires
static uint8_t ForwarderP__tries;    // of the first in the queue

// What came from other motes lately, the latest first: who did not hear our
// acknowledgement sends it again.
static collect_data_t ForwarderP__recent[NUM_RECENT];

// What is true, for whoever reads the memory of a mote.
uint8_t ForwarderP__waiting;
uint16_t ForwarderP__forwarded;       // taken from others, to go on
uint16_t ForwarderP__handedOver;      // acknowledged by the parent
uint16_t ForwarderP__sentAgain;
uint16_t ForwarderP__repeats;         // taken, but here already
uint16_t ForwarderP__loops;           // who sent it should be nearer to the root than we
uint16_t ForwarderP__droppedFull;     // others' for which there was no room
uint16_t ForwarderP__droppedTries;
uint16_t ForwarderP__droppedHops;

static void ForwarderP__pause(uint16_t ms)
{
    ForwarderP__isPaused = true;
    TimerC__startOneShot(ForwarderP__Resume, ms);
}

void ForwarderP__Resume__fired(void)
{
    ForwarderP__isPaused = false;
    post(ForwarderP__forward);
}

// Twice as long each time, up to a limit: what fails again and again may be
// because of others who do the same.
static void ForwarderP__retryLater(void)
{
    uint8_t doublings = ForwarderP__tries < MAX_DOUBLINGS ? ForwarderP__tries : MAX_DOUBLINGS;

    ForwarderP__pause(MIN_RETRY_MS + RandomC__below(RETRY_MS << doublings));
}

bool ForwarderP__put(const collect_data_t *data)
{
    if (ForwarderP__waiting == QUEUE_SIZE)
        return false;
    ForwarderP__queue[ForwarderP__waiting++] = *data;
    post(ForwarderP__forward);
    return true;
}

static void ForwarderP__next(void)
{
    ForwarderP__tries = 0;
    ForwarderP__waiting--;
    memmove(&ForwarderP__queue[0], &ForwarderP__queue[1], ForwarderP__waiting * sizeof ForwarderP__queue[0]);
}

// Without a parent everything waits: the router posts this when there is one.
void ForwarderP__forward__runTask(void)
{
    collect_data_t *data = (collect_data_t *)ForwarderP__message.data;

    if (ForwarderP__isSending || ForwarderP__isPaused || ForwarderP__waiting == 0 || RouterP__parent() == NO_MOTE)
        return;
    *data = ForwarderP__queue[0];
    nx_set8(&data->hops, nx_get8(&data->hops) + 1);
    nx_set16(&data->cost, RouterP__cost());
    if (AMQueueP__send(ForwarderP__Data, RouterP__parent(), AM_COLLECT_DATA, &ForwarderP__message, sizeof *data) == SUCCESS)
        ForwarderP__isSending = true;
    else
        ForwarderP__retryLater();
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
    ForwarderP__retryLater();
}

// The same reading with another number of hops is one that goes round: it must not
// be taken for a repeat, or it would be lost.
static bool ForwarderP__isRepeat(const collect_data_t *data)
{
    for (uint8_t i = 0; i < NUM_RECENT; i++)
        if (memcmp(data, &ForwarderP__recent[i], offsetof(collect_data_t, cost)) == 0)
            return true;
    memmove(&ForwarderP__recent[1], &ForwarderP__recent[0], sizeof ForwarderP__recent - sizeof *data);
    ForwarderP__recent[0] = *data;
    return false;
}

void ForwarderP__received(const collect_data_t *data)
{
    if (ForwarderP__isRepeat(data)) {
        ForwarderP__repeats++;
        return;
    }
    if (nx_get16(&data->cost) <= RouterP__cost()) {
        ForwarderP__loops++;
        RouterP__announce();
        ForwarderP__pause(LOOP_MS);
    }
    if (TOS_NODE_ID == ROOT) {
        CollectC__deliver(data);
    } else if (nx_get8(&data->hops) == MAX_HOPS) {
        ForwarderP__droppedHops++;
    } else if (ForwarderP__put(data)) {
        ForwarderP__forwarded++;
        LedsP__toggle(LED1);
    } else {
        ForwarderP__droppedFull++;
    }
}
