// What the files of router know of each other:
//
//   router.c       reports, at their source and at the sink
//   packet.c       the fields of a packet
//   forwarding.c   a packet on its way out, or in
//   engine.c       which way it has to go
//   address.c      who this mote is
//   table.c        the routes that are known
//   discovery.c    asking for one that is not
#ifndef ROUTER_H
#define ROUTER_H

#include "kernel.h"
#include "packet.h"

enum {
    AM_PACKET = 30,
    AM_REQUEST = 31,
    AM_REPLY = 32,
};

// Where this mote puts its next packet, cleared. NULL: the one before is not done.
packet_t *ForwardingP__newPacket(void);

// Sends it to a mote.
void ForwardingP__send(am_addr_t destination);

// A packet came, for this mote or for another that it knows a way to.
void ForwardingP__received(const packet_t *packet);

// The app's: a report came to its destination.
void RouterC__reported(const packet_t *packet);

typedef enum {
    ROUTE_ENDS_HERE,
    ROUTE_FOUND,
    ROUTE_PENDING,    // it is being asked for
} route_t;

am_addr_t AddressP__address(void);

bool EngineP__isForMe(const packet_t *packet);

// Which way a packet goes that has to get to the destination; nextHop is set if
// there is one.
route_t EngineP__selectRoute(const packet_t *packet, am_addr_t destination, am_addr_t *nextHop);

// EBUSY: there is no route yet, and it is being asked for.
error_t TableP__getRoute(am_addr_t destination, am_addr_t *nextHop);
void TableP__learn(am_addr_t destination, am_addr_t nextHop);
void TableP__forget(am_addr_t destination);

// Asks who knows a way to the destination. What is answered goes into the table.
void DiscoveryP__ask(am_addr_t destination);
void DiscoveryP__requested(am_addr_t asker, const void *data, uint8_t length);
void DiscoveryP__replied(am_addr_t answerer, const void *data, uint8_t length);

#endif
