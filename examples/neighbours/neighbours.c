// Neighbours: each mote knows whom it hears, and who of them hears it, with a bug: when
// the table is full, there may be no entry to give up.
//
// What one must see: every two seconds a mote broadcasts a beacon of type 104 that lists
// whom it hears. Who finds itself in such a list has a link in both directions. The LEDs
// show how many there are of these.
//
// The bug: a table of four entries. When it is full, who is new gets the entry that is
// least worth keeping, and an entry with a link in both directions is always kept. If all
// four are such entries, TableP__leastWorth finds none and says NUM_ENTRIES, and that is
// used as an index.
//
// What must be found: the stores in TableP__heard to TableP__entries[4]. TableP__past
// counts; it stays 0 in the fixed build. It takes a mote that has five neighbours and is
// heard by the first four.
#include "neighbours.h"

#include "random.h"
#include "timer.h"

enum {
    AM_BEACON = 104,
    BEACON_MS = 2048,
};

static message_t NeighboursC__message;
static bool NeighboursC__isSending;
static uint8_t NeighboursC__number;

// What is true, for whoever reads the memory of a mote.
uint16_t NeighboursC__sent;
uint16_t NeighboursC__received;

// Motes do not keep in step.
static void NeighboursC__beaconLater(void)
{
    TimerC__startOneShot(NeighboursC__Beacon, BEACON_MS * 3 / 4 + RandomC__below(BEACON_MS / 2));
}

void BootC__booted(void)
{
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS)
        RadioC__start();
    else
        NeighboursC__beaconLater();
}

void NeighboursC__Beacon__fired(void)
{
    beacon_t *beacon = (beacon_t *)NeighboursC__message.data;

    NeighboursC__beaconLater();
    if (NeighboursC__isSending)
        return;
    TableP__age();

    uint8_t count = TableP__list(beacon->heard);

    nx_set8(&beacon->number, NeighboursC__number++);
    nx_set8(&beacon->count, count);
    if (RadioC__send(TOS_BCAST_ADDR, AM_BEACON, &NeighboursC__message, sizeof *beacon + count * sizeof beacon->heard[0]) == SUCCESS)
        NeighboursC__isSending = true;
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    NeighboursC__isSending = false;
    if (error == SUCCESS)
        NeighboursC__sent++;
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const beacon_t *beacon = (const beacon_t *)message->data;

    if (nx_get8(&message->header.type) != AM_BEACON || length < sizeof *beacon)
        return message;

    uint8_t count = nx_get8(&beacon->count);

    if (count > MAX_LISTED || length != sizeof *beacon + count * sizeof beacon->heard[0])
        return message;
    NeighboursC__received++;
    TableP__heard(nx_get16(&message->header.src), beacon, count);
    return message;
}
