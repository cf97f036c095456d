// Surge: every mote reads its light and sends it over many hops to mote 0, after
// TinyOS 1's app of that name.
//
// What one must see: every two seconds each mote but the root reads its light and
// sends it towards the root, in active messages of type 17, from each mote to its
// parent: the neighbour that was last heard to be nearest to the root. Beacons, of
// type 16, say how near a mote is, every eight seconds. A message is sent up to
// four times if it is not acknowledged. LED 0 changes with each reading, LED 1 with
// each of them sent, LED 2 with each that the root gets.
//
// In memory, deliveredOf[o] of the root is how many readings of mote o it got, to be
// compared with made of that mote.
//
// elf/surge_traced-<board>.elf keeps a trace of this file in the external flash, and
// gives it to who asks for it over the radio (motehound trace pull).
#include "leds.h"
#include "photo.h"
#include "radio.h"
#include "surge.h"
#include "timer.h"

enum {
    SAMPLE_MS = 2048,
    MAX_ORIGINS = 32,
};

static bool SurgeC__isSending;

// What is true, for whoever reads the memory of a mote.
uint16_t SurgeC__made;
uint16_t SurgeC__sent;
uint16_t SurgeC__dropped;
uint16_t SurgeC__deliveredOf[MAX_ORIGINS];

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
    RouteP__start();
    if (TOS_NODE_ID != ROOT)
        TimerC__startPeriodic(SurgeC__Sample, SAMPLE_MS);
}

void SurgeC__Sample__fired(void)
{
    if (SurgeC__isSending || PhotoC__read() != SUCCESS)
        SurgeC__dropped++;
}

void PhotoC__readDone(uint16_t value)
{
    reading_t reading;

    LedsP__toggle(LED0);
    nx_set16(&reading.origin, TOS_NODE_ID);
    nx_set16(&reading.number, SurgeC__made++);
    nx_set16(&reading.reading, value);
    nx_set8(&reading.hops, 0);
    SurgeC__isSending = RouteP__send(&reading);
    if (!SurgeC__isSending)
        SurgeC__dropped++;
}

void SurgeC__sendDone(bool wasSent)
{
    SurgeC__isSending = false;
    if (wasSent) {
        SurgeC__sent++;
        LedsP__toggle(LED1);
    } else {
        SurgeC__dropped++;
    }
}

void SurgeC__delivered(const reading_t *reading)
{
    uint16_t origin = nx_get16(&reading->origin);

    if (origin < MAX_ORIGINS) {
        SurgeC__deliveredOf[origin]++;
        LedsP__toggle(LED2);
    }
}
