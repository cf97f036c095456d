// Router: four motes report to a sink over routes that are found on demand, with a
// bug: mote 0 takes its own packets for delivered (T-Morph, case study 3, after
// TinyOS's TYMO).
//
// What one must see: motes 0 to 3 make a packet every half second, and toggle LED0. A
// mote that knows no route to mote 4, the sink, asks for one in an active message of
// type 31 and tries again after a moment; the sink answers in one of type 32, and the
// route is good for three seconds. The packet goes to the next hop in one of type 30,
// again until it is acknowledged, and the sink shows how many it has.
//
// What must be found: mote 0 does what no other mote does at the interrupt of the
// clock (TIMER0 COMP, vector 16): EngineP__isForMe says that its packet has arrived, so
// that selectRoute never gets to TableP__getRoute and the packet never leaves. The
// reason is in ForwardingP: a new packet has no destination, which is to say 0, and it
// gets one only on its way out. deliveredToSelf counts those packets; at the sink,
// received[0] stays 0. In the fixed build the packet gets its destination first,
// and deliveredToSelf stays 0.
//
//   motehound run --nodes 5 --time 20s --var ForwardingP__deliveredToSelf --var RouterC__received example:router-micaz
//
// The same is in router.star.
#include "leds.h"
#include "radio.h"
#include "router.h"
#include "timer.h"

enum {
    SINK = 4,
    NUM_SOURCES = 4,
    REPORT_MS = 512,
    PHASE_MS = REPORT_MS / NUM_SOURCES,    // between two sources, so that they do not all talk at once
};

// What is true, for whoever reads the memory of a mote.
uint16_t RouterC__made;
uint16_t RouterC__skipped;                  // the packet before was not done
uint16_t RouterC__received[NUM_SOURCES];    // the rest is the sink's, for each source
uint16_t RouterC__lastNumber[NUM_SOURCES];
uint16_t RouterC__repeats;                  // its acknowledgement was lost

void BootC__booted(void)
{
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS)
        RadioC__start();
    else if (TOS_NODE_ID != SINK)
        TimerC__startOneShot(RouterC__Phase, (TOS_NODE_ID + 1) * PHASE_MS);
}

void RouterC__Phase__fired(void)
{
    TimerC__startPeriodic(RouterC__Report, REPORT_MS);
}

static void RouterC__fill(packet_t *packet)
{
    PacketP__setType(packet, PACKET_REPORT);
    PacketP__setOrigin(packet, TOS_NODE_ID);
    PacketP__setNumber(packet, RouterC__made);
}

void RouterC__Report__fired(void)
{
    packet_t *packet = ForwardingP__newPacket();

    if (packet == NULL) {
        RouterC__skipped++;
        return;
    }
    RouterC__made++;
    LedsP__toggle(LED0);
    RouterC__fill(packet);
    ForwardingP__send(SINK);
}

void RouterC__reported(const packet_t *packet)
{
    am_addr_t origin = PacketP__origin(packet);
    uint16_t number = PacketP__number(packet);

    if (origin >= NUM_SOURCES)
        return;
    if (number == RouterC__lastNumber[origin]) {
        RouterC__repeats++;
        return;
    }
    RouterC__lastNumber[origin] = number;
    RouterC__received[origin]++;
    LedsP__set(RouterC__received[origin]);
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    am_addr_t from = nx_get16(&message->header.src);

    switch (nx_get8(&message->header.type)) {
    case AM_PACKET:
        if (length == sizeof(packet_t))
            ForwardingP__received((const packet_t *)message->data);
        break;
    case AM_REQUEST:
        DiscoveryP__requested(from, message->data, length);
        break;
    case AM_REPLY:
        DiscoveryP__replied(from, message->data, length);
        break;
    }
    return message;
}
