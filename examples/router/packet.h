// A packet: what the network needs to know of it, and a report. It is sent in an
// active message, whose own addresses are those of one hop.
#ifndef PACKET_H
#define PACKET_H

#include "kernel.h"
#include "nx.h"

enum { PACKET_REPORT = 1 };

typedef struct {
    nx_uint16_t destination;
    nx_uint16_t origin;
    nx_uint8_t type;
    nx_uint16_t number;
} packet_t;

// Functions of their own, so that whoever watches a mote sees who asks for what.
void PacketP__clear(packet_t *packet);
am_addr_t PacketP__destination(const packet_t *packet);
void PacketP__setDestination(packet_t *packet, am_addr_t destination);
am_addr_t PacketP__origin(const packet_t *packet);
void PacketP__setOrigin(packet_t *packet, am_addr_t origin);
uint8_t PacketP__type(const packet_t *packet);
void PacketP__setType(packet_t *packet, uint8_t type);
uint16_t PacketP__number(const packet_t *packet);
void PacketP__setNumber(packet_t *packet, uint16_t number);

#endif
