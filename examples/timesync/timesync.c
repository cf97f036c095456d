// Timesync: all motes know the time of mote 0, the root.
//
// What one must see: every second (every four on a Mica2) each mote that knows the
// global time tells everyone, in a beacon of type 62 (3E hex). The LEDs show the
// three lowest bits of the global time in seconds; once synchronised, which takes
// a few beacons for each hop, the LEDs of all motes change within 5 ms of each
// other. Beacons lost only delay this; a mote that hears none goes on by its own
// clock, corrected for what that was off.
//
// The time of a frame is when its start delimiter is on the air: sender and
// receivers see it at the same moment, but the sender sees it too late to put it
// into that frame. So each beacon has the global time of the sender's beacon
// before it. A receiver that heard both has a pair of its own time and the global
// time (global.c). Only beacons with a newer sequence number of the root count, so
// that time spreads outwards from the root.
//
// In memory, event is the last beacon heard: two motes that heard the same one (source
// and number are equal) and are synchronised should have the same global, up to
// 10 counts (of 1/921,600 s) on a MicaZ and 100 on a Mica2, over each hop.
#include "global.h"
#include "kernel.h"
#include "leds.h"
#include "micro.h"
#include "radio.h"
#include "random.h"
#include "timer.h"

enum {
    AM_TIMESYNC = 62,
    ROOT = 0,
    PERIOD_MS = 1000 * RADIO_PACE,
    NUM_SENDERS = 8,
    NO_MOTE = 0xFFFF,

    COUNTS_PER_MS = MICRO_HERTZ / 1024,
};

typedef struct {
    nx_uint16_t sequence;       // of the root's beacons, the latest that the sender knows of
    nx_uint8_t number;          // of the sender's
    nx_uint8_t hasPrevious;     // the next is known
    nx_uint32_t previous;       // global time of the sender's beacon before this one
} timesync_t;

static message_t TimeSyncC__message;
static uint8_t TimeSyncC__number;
static bool TimeSyncC__isSending;
static bool TimeSyncC__hasSent;        // the last beacon,
static uint32_t TimeSyncC__sentAt;     // then

// The last beacon of each neighbour, by our own time.
static struct {
    am_addr_t id;
    uint8_t number;
    bool hasTime;
    uint32_t time;
} TimeSyncC__senders[NUM_SENDERS];

static uint8_t TimeSyncC__oldest;      // place in senders

// What is true, for whoever reads the memory of a mote.
uint16_t TimeSyncC__sequence;
uint16_t TimeSyncC__sent;
uint16_t TimeSyncC__heard;
uint16_t TimeSyncC__pairs;             // of which the estimate is made

struct {
    am_addr_t source;
    uint8_t number;
    bool isSynced;
    uint32_t local;
    uint32_t global;
} TimeSyncC__event;

static bool TimeSyncC__isSynced(void)
{
    return TOS_NODE_ID == ROOT || GlobalTimeP__isKnown();
}

static uint32_t TimeSyncC__global(uint32_t local)
{
    return TOS_NODE_ID == ROOT ? local : GlobalTimeP__fromLocal(local);
}

void BootC__booted(void)
{
    for (uint8_t i = 0; i < NUM_SENDERS; i++)
        TimeSyncC__senders[i].id = NO_MOTE;
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS) {
        RadioC__start();
        return;
    }
    TimerC__startOneShot(TimeSyncC__Phase, RandomC__below(PERIOD_MS));
    TimerC__startOneShot(TimeSyncC__Second, 0);
}

// Motes that are switched on together do not send together.
void TimeSyncC__Phase__fired(void)
{
    TimerC__startPeriodic(TimeSyncC__Period, PERIOD_MS);
}

// Just after the next second begins: the timer is in milliseconds.
void TimeSyncC__Second__fired(void)
{
    uint32_t now = TimeSyncC__global(MicroC__now());

    if (TimeSyncC__isSynced())
        LedsP__set(now / MICRO_HERTZ);
    TimerC__startOneShot(TimeSyncC__Second, (MICRO_HERTZ - now % MICRO_HERTZ) / COUNTS_PER_MS + 1);
}

void TimeSyncC__Period__fired(void)
{
    timesync_t *beacon = (timesync_t *)TimeSyncC__message.data;

    if (!TimeSyncC__isSynced() || TimeSyncC__isSending)
        return;
    if (TOS_NODE_ID == ROOT)
        TimeSyncC__sequence++;
    nx_set16(&beacon->sequence, TimeSyncC__sequence);
    nx_set8(&beacon->number, ++TimeSyncC__number);
    nx_set8(&beacon->hasPrevious, TimeSyncC__hasSent);
    nx_set32(&beacon->previous, TimeSyncC__global(TimeSyncC__sentAt));
    TimeSyncC__hasSent = false;
    if (RadioC__send(TOS_BCAST_ADDR, AM_TIMESYNC, &TimeSyncC__message, sizeof *beacon) == SUCCESS)
        TimeSyncC__isSending = true;
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    TimeSyncC__isSending = false;
    if (error != SUCCESS)
        return;
    TimeSyncC__sent++;
    TimeSyncC__hasSent = true;
    TimeSyncC__sentAt = RadioC__sentAt();
}

static uint8_t TimeSyncC__placeOf(am_addr_t id)
{
    for (uint8_t i = 0; i < NUM_SENDERS; i++)
        if (TimeSyncC__senders[i].id == id)
            return i;

    uint8_t place = TimeSyncC__oldest;

    TimeSyncC__oldest = (TimeSyncC__oldest + 1) % NUM_SENDERS;
    TimeSyncC__senders[place].id = id;
    TimeSyncC__senders[place].hasTime = false;
    return place;
}

// The root that began anew goes on from the sequence that others know, or they
// would not listen.
static void TimeSyncC__use(uint8_t place, const timesync_t *beacon)
{
    uint16_t sequence = nx_get16(&beacon->sequence);

    if ((int16_t)(sequence - TimeSyncC__sequence) <= 0)
        return;
    if (TOS_NODE_ID == ROOT) {
        TimeSyncC__sequence = sequence;
        return;
    }
    if (!nx_get8(&beacon->hasPrevious) || !TimeSyncC__senders[place].hasTime ||
        nx_get8(&beacon->number) != (uint8_t)(TimeSyncC__senders[place].number + 1))
        return;
    TimeSyncC__sequence = sequence;
    TimeSyncC__pairs++;
    GlobalTimeP__add(TimeSyncC__senders[place].time, nx_get32(&beacon->previous));
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const timesync_t *beacon = (const timesync_t *)message->data;

    if (nx_get8(&message->header.type) != AM_TIMESYNC || length != sizeof *beacon)
        return message;

    uint8_t place = TimeSyncC__placeOf(nx_get16(&message->header.src));

    TimeSyncC__heard++;
    TimeSyncC__use(place, beacon);
    TimeSyncC__senders[place].number = nx_get8(&beacon->number);
    TimeSyncC__senders[place].hasTime = info->hasTime;
    TimeSyncC__senders[place].time = info->time;
    if (info->hasTime) {
        TimeSyncC__event.source = TimeSyncC__senders[place].id;
        TimeSyncC__event.number = TimeSyncC__senders[place].number;
        TimeSyncC__event.isSynced = TimeSyncC__isSynced();
        TimeSyncC__event.local = info->time;
        TimeSyncC__event.global = TimeSyncC__global(info->time);
    }
    return message;
}
