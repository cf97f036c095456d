// A packet on its way: out, from here or passed on, or in. There is one at a time, and
// what has no route yet is tried again.
#include "am_queue.h"
#include "leds.h"
#include "router.h"
#include "timer.h"

enum {
    // Enough for a request and its answer if nobody else talks.
    RETRY_MS = 24 * RADIO_PACE,
    MAX_TRIES = 5,
};

static message_t ForwardingP__message;
static packet_t *const ForwardingP__packet = (packet_t *)ForwardingP__message.data;
static am_addr_t ForwardingP__destination;    // of the packet
static bool ForwardingP__isBusy;              // there is one
static uint8_t ForwardingP__tries;

// What is true, for whoever reads the memory of a mote.
uint16_t ForwardingP__deliveredToSelf;    // packets of this mote that went nowhere
uint16_t ForwardingP__forwarded;          // acknowledged by the next hop
uint16_t ForwardingP__deferred;           // times that there was no route yet
uint16_t ForwardingP__sentAgain;
uint16_t ForwardingP__lost;               // the next hop never acknowledged
uint16_t ForwardingP__dropped;            // came while another was on its way

static void ForwardingP__defer(void)
{
    ForwardingP__deferred++;
    TimerC__startOneShot(ForwardingP__Retry, RETRY_MS);
}

static void ForwardingP__deliver(const packet_t *packet)
{
    if (PacketP__type(packet) == PACKET_REPORT)
        RouterC__reported(packet);
}

static void ForwardingP__done(void)
{
    ForwardingP__isBusy = false;
    ForwardingP__tries = 0;
}

static void ForwardingP__transmit(am_addr_t nextHop)
{
#ifndef FIXED
    PacketP__setDestination(ForwardingP__packet, ForwardingP__destination);
#endif
    if (AMQueueP__send(ForwardingP__Data, nextHop, AM_PACKET, &ForwardingP__message, sizeof(packet_t)) != SUCCESS)
        ForwardingP__defer();
}

static void ForwardingP__forward(void)
{
    am_addr_t nextHop;

    switch (EngineP__selectRoute(ForwardingP__packet, ForwardingP__destination, &nextHop)) {
    case ROUTE_ENDS_HERE:
        ForwardingP__deliveredToSelf++;
        ForwardingP__deliver(ForwardingP__packet);
        ForwardingP__done();
        break;
    case ROUTE_FOUND:
        ForwardingP__transmit(nextHop);
        break;
    case ROUTE_PENDING:
        ForwardingP__defer();
        break;
    }
}

void ForwardingP__Retry__fired(void)
{
    ForwardingP__forward();
}

packet_t *ForwardingP__newPacket(void)
{
    if (ForwardingP__isBusy)
        return NULL;
    PacketP__clear(ForwardingP__packet);
    return ForwardingP__packet;
}

void ForwardingP__send(am_addr_t destination)
{
    ForwardingP__isBusy = true;
    ForwardingP__destination = destination;
#ifdef FIXED
    PacketP__setDestination(ForwardingP__packet, destination);
#endif
    ForwardingP__forward();
}

void ForwardingP__Data__sendDone(message_t *message, error_t error, bool wasAcked)
{
    am_addr_t nextHop = nx_get16(&message->header.dest);

    if (wasAcked) {
        ForwardingP__forwarded++;
        LedsP__toggle(LED1);
        ForwardingP__done();
    } else if (++ForwardingP__tries < MAX_TRIES) {
        ForwardingP__sentAgain++;
        ForwardingP__transmit(nextHop);
    } else {
        ForwardingP__lost++;
        TableP__forget(ForwardingP__destination);
        ForwardingP__done();
    }
}

static void ForwardingP__passOn(const packet_t *packet)
{
    if (ForwardingP__isBusy) {
        ForwardingP__dropped++;
        return;
    }
    *ForwardingP__packet = *packet;
    ForwardingP__send(PacketP__destination(packet));
}

void ForwardingP__received(const packet_t *packet)
{
    if (EngineP__isForMe(packet))
        ForwardingP__deliver(packet);
    else
        ForwardingP__passOn(packet);
}
