// What the files of fragments know of each other:
//
//   fragments.c    datagrams that are made, sent in fragments, and received
//   reassembly.c   one datagram at a time, out of its fragments
#ifndef FRAGMENTS_H
#define FRAGMENTS_H

#include "radio.h"

enum {
    MAX_DATAGRAM = 80,
    UNIT = 8,    // of offsets, in bytes

    // The first five bits of a fragment, as 6LoWPAN has them (RFC 4944, section 5.3).
    DISPATCH_MASK = 0xF8,
    DISPATCH_FIRST = 0xC0,
    DISPATCH_LATER = 0xE0,
};

typedef struct {
    nx_uint16_t size;    // of the datagram, in the lower 11 bits; above, the dispatch
    nx_uint16_t tag;
    uint8_t data[];
} first_t;

typedef struct {
    nx_uint16_t size;
    nx_uint16_t tag;
    nx_uint8_t offset;    // in units
    uint8_t data[];
} later_t;

// A fragment from that mote came.
void ReassemblyP__receive(am_addr_t from, const uint8_t *fragment, uint8_t length);

// The datagram is whole. The app's.
void ReassemblyP__received(am_addr_t from, const uint8_t *datagram, uint8_t size);

#endif
