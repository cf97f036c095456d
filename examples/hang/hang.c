// Hang: motes that see something report it to mote 0, the root, over collect's tree,
// and tell their neighbours twice a second that they are alive, with a bug: the two
// share the radio, and when it is busy with a heartbeat the forwarder's send is
// refused, which it does not handle: it waits for ever, and the mote reports no more
// (Sentomist, ICDCS 2010, case study III, after TinyOS's CTP).
//
// What one must see: heartbeats, of type 18, every 500 ms (1 s on a Mica2) from each
// mote; LED 0 changes with them. Motes 2, 4, 6 and 8 see an event at a random time in
// the first 6 s, which lasts 4 to 9 s, and while it lasts report it every 150 to 405
// ms (300 to 811) in messages of type 17 as collect has them, from each mote to its
// parent. LED 1 changes with each passed on, LED 2 at the root with each that
// arrives. In a run of 15 s some motes hang: their reports stop, and those of motes
// behind them, while their hearts beat on.
//
// What must be found: the interval with the refused send, which is one of the timer's
// (TIMER0 COMP, vector 16): it made the report, or ended the pause before a report
// from another mote goes on. ForwarderP__failed says whether there was one (each mote
// has one at most: it hangs), failedTime[0] when, in 1/1024 s since boot, and
// failedOrigin[0] and failedReport[0] whose report it was, and its number. In the
// fixed build a refused send is tried again, which putOff counts, and failed stays 0.
//
//   motehound run --nodes 9 --topology grid --time 15s --var ForwarderP__failed --var ForwarderP__failedTime example:hang-micaz
//
// The same is in hang.star.
#include "hang.h"
#include "leds.h"
#include "radio.h"
#include "random.h"
#include "timer.h"

enum {
    EVENT_WITHIN_MS = 6000,
    LEAST_EVENT_MS = 4000,
    MOST_EVENT_MS = 9000,
    LEAST_REPORT_MS = RADIO_PACE == 1 ? 150 : 300,
    REPORT_SPREAD_MS = RADIO_PACE == 1 ? 256 : 512,
    MAX_ORIGINS = 16,
};

static uint32_t HangC__eventEnds;

// What is true, for whoever reads the memory of a mote.
uint16_t HangC__made;
uint16_t HangC__delivered[MAX_ORIGINS];     // the root's
uint16_t HangC__lastNumber[MAX_ORIGINS];

static bool HangC__isSource(void)
{
    return TOS_NODE_ID != ROOT && TOS_NODE_ID % 2 == 0;
}

void BootC__booted(void)
{
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS) {
        RadioC__start();
        return;
    }
    RouterP__start();
    HeartbeatP__start();
    if (HangC__isSource())
        TimerC__startOneShot(HangC__Event, RandomC__below(EVENT_WITHIN_MS));
}

static void HangC__reportLater(void)
{
    TimerC__startOneShot(HangC__Report, LEAST_REPORT_MS + RandomC__below(REPORT_SPREAD_MS));
}

void HangC__Event__fired(void)
{
    HangC__eventEnds = TimerC__getNow() + LEAST_EVENT_MS + RandomC__below(MOST_EVENT_MS - LEAST_EVENT_MS);
    HangC__reportLater();
}

void HangC__Report__fired(void)
{
    collect_data_t data;
    int32_t left = HangC__eventEnds - TimerC__getNow();

    if (left < 0)
        return;
    HangC__made++;
    nx_set16(&data.origin, TOS_NODE_ID);
    nx_set16(&data.number, HangC__made);
    nx_set8(&data.hops, 0);
    nx_set16(&data.cost, COST_NONE);
    nx_set16(&data.reading, left);
    ForwarderP__put(&data);
    HangC__reportLater();
}

void CollectC__deliver(const collect_data_t *data)
{
    uint16_t origin = nx_get16(&data->origin);

    LedsP__toggle(LED2);
    if (origin >= MAX_ORIGINS)
        return;
    HangC__delivered[origin]++;
    HangC__lastNumber[origin] = nx_get16(&data->number);
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    uint8_t type = nx_get8(&message->header.type);

    if (type == AM_HEARTBEAT)
        HeartbeatP__received(nx_get16(&message->header.src));
    else if (type == AM_COLLECT_BEACON && length == sizeof(collect_beacon_t))
        RouterP__received(nx_get16(&message->header.src), (const collect_beacon_t *)message->data);
    else if (type == AM_COLLECT_DATA && length == sizeof(collect_data_t))
        ForwarderP__received((const collect_data_t *)message->data);
    return message;
}
