// Fragments: datagrams that are longer than a frame, sent in fragments as 6LoWPAN does
// it, with a bug: a fragment can be written behind the datagram that it belongs to.
//
// What one must see: every two seconds each mote but mote 0 makes a datagram of 60
// bytes, which count up, and broadcasts it in four fragments of type 103. Who gets all
// of them counts the datagram, and shows its first byte on the LEDs. A datagram that is
// not whole after a second is given up, if another one begins.
//
// The bug: the first fragment says how long the datagram is, and that is compared with
// the room for it. The others say where they belong, and that is compared with nothing.
//
// What must be found: the store in ReassemblyP__put past the end of
// ReassemblyP__datagram. ReassemblyP__past counts such bytes; it stays 0 in the fixed
// build.
#include "fragments.h"

#include "kernel.h"
#include "leds.h"
#include "timer.h"

enum {
    AM_FRAGMENT = 103,
    SINK = 0,
    MAKE_MS = 2048,
    SIZE = 60,
    FRAGMENT_DATA = 16,
};

static message_t FragmentsC__message;
static uint8_t FragmentsC__next;    // byte of the datagram to send; SIZE if none
static bool FragmentsC__isSending;

// What is true, for whoever reads the memory of a mote.
uint16_t FragmentsC__made;
uint16_t FragmentsC__received;    // datagrams
uint16_t FragmentsC__damaged;     // of those, not as they were made

void BootC__booted(void)
{
    FragmentsC__next = SIZE;
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS)
        RadioC__start();
    else if (TOS_NODE_ID != SINK)
        TimerC__startPeriodic(FragmentsC__Make, MAKE_MS);
}

static uint8_t FragmentsC__header(void)
{
    uint8_t *data = FragmentsC__message.data;
    uint16_t dispatch = (FragmentsC__next == 0 ? DISPATCH_FIRST : DISPATCH_LATER) << 8;
    first_t *first = (first_t *)data;
    later_t *later = (later_t *)data;

    nx_set16(&first->size, dispatch | SIZE);
    nx_set16(&first->tag, FragmentsC__made);
    if (FragmentsC__next == 0)
        return sizeof *first;
    nx_set8(&later->offset, FragmentsC__next / UNIT);
    return sizeof *later;
}

static void FragmentsC__send(void)
{
    uint8_t header = FragmentsC__header();
    uint8_t left = SIZE - FragmentsC__next;
    uint8_t length = left < FRAGMENT_DATA ? left : FRAGMENT_DATA;

    for (uint8_t i = 0; i < length; i++)
        FragmentsC__message.data[header + i] = FragmentsC__made + FragmentsC__next + i;
    if (RadioC__send(TOS_BCAST_ADDR, AM_FRAGMENT, &FragmentsC__message, header + length) == SUCCESS) {
        FragmentsC__isSending = true;
        FragmentsC__next += length;
    }
}

void FragmentsC__Make__fired(void)
{
    if (FragmentsC__isSending)
        return;
    FragmentsC__made++;
    FragmentsC__next = 0;
    FragmentsC__send();
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    FragmentsC__isSending = false;
    if (FragmentsC__next < SIZE)
        FragmentsC__send();
}

void ReassemblyP__received(am_addr_t from, const uint8_t *datagram, uint8_t size)
{
    bool isDamaged = false;

    for (uint8_t i = 1; i < size; i++)
        isDamaged |= datagram[i] != (uint8_t)(datagram[0] + i);
    FragmentsC__received++;
    FragmentsC__damaged += isDamaged;
    LedsP__set(datagram[0]);
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    if (nx_get8(&message->header.type) == AM_FRAGMENT)
        ReassemblyP__receive(nx_get16(&message->header.src), message->data, length);
    return message;
}
