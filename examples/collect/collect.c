// Collect: readings of all motes gather at mote 0, the root, along a tree that the
// motes find by themselves.
//
// What one must see: every second (every four on a Mica2) each mote but the root
// reads its light and sends the reading towards the root, in active messages of
// type 17 from each mote to its parent. Beacons, of type 16, tell neighbours what
// a mote's path costs: many in the first seconds and when something changes, one
// in four seconds (16) otherwise. The root puts each reading once on its serial
// port, as a message of type 17 with origin, number, hops, cost and reading.
// LED 0 changes with each reading taken, LED 1 with each passed on, LED 2 with each
// that the root gets.
//
// With links that lose a third of all frames the root gets nearly every reading;
// what is lost is counted where it is lost. When a link is cut, those behind it
// find another path if there is one; if not, readings wait, up to sixteen at a
// mote, and go on when it heals.
//
// In memory, delivered[o] of the root is how many different readings of mote o it
// got, to be compared with made of that mote.
#include <string.h>

#include "am_queue.h"
#include "collect.h"
#include "leds.h"
#include "photo.h"
#include "random.h"
#include "serial.h"
#include "timer.h"

enum {
    PERIOD_MS = 1000 * RADIO_PACE,
    MAX_ORIGINS = 32,
    NUM_REPORTS = 4,
};

// The root's buffers for the serial port, and which of them it has.
static message_t CollectC__reports[NUM_REPORTS];
static uint8_t CollectC__reporting;

// What is true, for whoever reads the memory of a mote.
uint16_t CollectC__made;
uint16_t CollectC__droppedOwn;              // readings not taken in time, or for which there was no room
uint16_t CollectC__delivered[MAX_ORIGINS];  // this and the rest is the root's
uint16_t CollectC__lastNumber[MAX_ORIGINS];
uint16_t CollectC__duplicates;
uint16_t CollectC__reported;
uint16_t CollectC__notReported;             // the serial port was too slow
uint8_t CollectC__maxHops;

static uint16_t CollectC__seen[MAX_ORIGINS];    // bit i: number lastNumber - i

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
    if (TOS_NODE_ID == ROOT)
        SerialC__start();
    else
        TimerC__startOneShot(CollectC__Phase, RandomC__below(PERIOD_MS));
}

// Motes that are switched on together do not send together.
void CollectC__Phase__fired(void)
{
    TimerC__startPeriodic(CollectC__Period, PERIOD_MS);
}

void CollectC__Period__fired(void)
{
    if (PhotoC__read() != SUCCESS)
        CollectC__droppedOwn++;
}

void PhotoC__readDone(uint16_t reading)
{
    collect_data_t data;

    CollectC__made++;
    LedsP__toggle(LED0);
    nx_set16(&data.origin, TOS_NODE_ID);
    nx_set16(&data.number, CollectC__made);
    nx_set8(&data.hops, 0);
    nx_set16(&data.cost, COST_NONE);
    nx_set16(&data.reading, reading);
    if (!ForwarderP__put(&data))
        CollectC__droppedOwn++;
}

// Readings may come by two paths, and out of order. A number far behind is that of
// a mote that began anew.
static bool CollectC__isNew(uint16_t origin, uint16_t number)
{
    int16_t ahead = number - CollectC__lastNumber[origin];

    if (ahead <= -16 || ahead >= 16) {
        CollectC__seen[origin] = 0;
        CollectC__lastNumber[origin] = number;
        ahead = 0;
    } else if (ahead > 0) {
        CollectC__seen[origin] <<= ahead;
        CollectC__lastNumber[origin] = number;
        ahead = 0;
    }

    uint16_t bit = 1U << -ahead;
    bool isNew = !(CollectC__seen[origin] & bit);

    CollectC__seen[origin] |= bit;
    return isNew;
}

static void CollectC__report(const collect_data_t *data)
{
    uint8_t i = 0;

    while (i < NUM_REPORTS && (CollectC__reporting & 1 << i))
        i++;
    if (i == NUM_REPORTS) {
        CollectC__notReported++;
        return;
    }
    memcpy(CollectC__reports[i].data, data, sizeof *data);
    if (SerialC__send(TOS_BCAST_ADDR, AM_COLLECT_DATA, &CollectC__reports[i], sizeof *data) == SUCCESS) {
        CollectC__reporting |= 1 << i;
        CollectC__reported++;
    } else {
        CollectC__notReported++;
    }
}

void SerialC__sendDone(message_t *message)
{
    CollectC__reporting &= ~(1 << (message - CollectC__reports));
}

void CollectC__deliver(const collect_data_t *data)
{
    uint16_t origin = nx_get16(&data->origin);
    uint8_t hops = nx_get8(&data->hops);

    if (origin >= MAX_ORIGINS)
        return;
    if (!CollectC__isNew(origin, nx_get16(&data->number))) {
        CollectC__duplicates++;
        return;
    }
    LedsP__toggle(LED2);
    CollectC__delivered[origin]++;
    if (hops > CollectC__maxHops)
        CollectC__maxHops = hops;
    CollectC__report(data);
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    uint8_t type = nx_get8(&message->header.type);

    if (type == AM_COLLECT_BEACON && length == sizeof(collect_beacon_t))
        RouterP__received(nx_get16(&message->header.src), (const collect_beacon_t *)message->data);
    else if (type == AM_COLLECT_DATA && length == sizeof(collect_data_t))
        ForwarderP__received((const collect_data_t *)message->data);
    return message;
}

// The host has nothing to tell.
message_t *SerialC__receive(message_t *message, uint8_t length)
{
    return message;
}
