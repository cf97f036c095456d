// Limits: collect, whose motes do something about what they read.
//
// What one must see: as in collect, readings gather at mote 0, the root, along a
// tree (its router, estimator and forwarder are the same). Here a mote also heeds
// its own readings: when it is cold it heats, when it is warm it cools, until the
// next reading says otherwise. A reading is sent at the next period, unless it is
// the second of a fire: then it is sent at once. LED 0 is the heater, LED 1 the
// cooler, LED 2 of the root changes with each reading that it gets.
//
// In memory, delivered[o] of the root is how many readings of mote o it got, and
// alarms how many of all were as hot as a fire.
#include "am_queue.h"
#include "collect.h"
#include "leds.h"
#include "photo.h"
#include "random.h"
#include "timer.h"

enum {
    PERIOD_MS = 1000 * RADIO_PACE,
    MAX_ORIGINS = 32,

    COLD = 200,
    WARM = 800,
    FIRE = 1000,
};

static bool LimitsC__burns;          // the reading before was as hot as a fire
static uint16_t LimitsC__reading;    // the last one,
static bool LimitsC__isDue;          // if it is still to be sent

// What is true, for whoever reads the memory of a mote.
uint16_t LimitsC__made;
uint16_t LimitsC__droppedOwn;        // readings not taken in time, or for which there was no room
uint16_t LimitsC__cold;              // readings that it heated for,
uint16_t LimitsC__warm;              // or cooled,
uint16_t LimitsC__fires;             // some of these because it burnt, and burnt before
uint16_t LimitsC__delivered[MAX_ORIGINS];    // this and the rest is the root's
uint16_t LimitsC__alarms;

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
    if (TOS_NODE_ID != ROOT)
        TimerC__startOneShot(LimitsC__Phase, RandomC__below(PERIOD_MS));
}

// Motes that are switched on together do not send together.
void LimitsC__Phase__fired(void)
{
    TimerC__startPeriodic(LimitsC__Period, PERIOD_MS);
}

static void LimitsC__report(void)
{
    collect_data_t data;

    LimitsC__isDue = false;
    nx_set16(&data.origin, TOS_NODE_ID);
    nx_set16(&data.number, LimitsC__made);
    nx_set8(&data.hops, 0);
    nx_set16(&data.cost, COST_NONE);
    nx_set16(&data.reading, LimitsC__reading);
    if (!ForwarderP__put(&data))
        LimitsC__droppedOwn++;
}

void LimitsC__Period__fired(void)
{
    if (LimitsC__isDue)
        LimitsC__report();
    if (PhotoC__read() != SUCCESS)
        LimitsC__droppedOwn++;
}

void PhotoC__readDone(uint16_t reading)
{
    LimitsC__made++;
    LimitsC__reading = reading;
    LimitsC__isDue = true;
    if (reading < COLD) {
        LimitsC__cold++;
        LedsP__set(LED0);
    } else if (reading > WARM) {
        LimitsC__warm++;
        LedsP__set(LED1);
    } else {
        LedsP__set(0);
    }
    if (reading <= FIRE) {
        LimitsC__burns = false;
        return;
    }
    if (LimitsC__burns) {
        LimitsC__fires++;
        LimitsC__report();
    }
    LimitsC__burns = true;
}

void CollectC__deliver(const collect_data_t *data)
{
    uint16_t origin = nx_get16(&data->origin);

    if (origin >= MAX_ORIGINS)
        return;
    LedsP__toggle(LED2);
    LimitsC__delivered[origin]++;
    if (nx_get16(&data->reading) > FIRE)
        LimitsC__alarms++;
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
