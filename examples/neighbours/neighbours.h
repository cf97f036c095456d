// What the files of neighbours know of each other:
//
//   neighbours.c   beacons
//   table.c        whom this mote hears, and who hears it
#ifndef NEIGHBOURS_H
#define NEIGHBOURS_H

#include "radio.h"

enum {
    NUM_ENTRIES = 4,
    MAX_LISTED = 6,
};

// What a beacon says: whom its sender hears.
typedef struct {
    nx_uint8_t number;
    nx_uint8_t count;
    nx_uint16_t heard[];
} beacon_t;

// A mote told whom it hears; count entries are in the beacon.
void TableP__heard(am_addr_t from, const beacon_t *beacon, uint8_t count);

// Once per beacon sent: who was not heard for long is forgotten.
void TableP__age(void);

// Puts whom this mote hears into a beacon, and returns how many.
uint8_t TableP__list(nx_uint16_t *heard);

#endif
