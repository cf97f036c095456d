// What the files of orphan know of each other:
//
//   orphan.c      beacons and reports, and who the parent is
//   estimator.c   which links are good
#ifndef ORPHAN_H
#define ORPHAN_H

#include "radio.h"

enum {
    ROOT = 0,
    NO_MOTE = 0xFFFF,
    NUM_NEIGHBOURS = 8,
    MAX_HOPS = 16,    // a longer path is none
};

typedef struct {
    am_addr_t id;
    am_addr_t parent;    // as its last beacon said, like its hops
    uint8_t hops;
    uint8_t number;      // of that beacon
    uint8_t heard;       // beacons, in this window,
    uint8_t missed;      // and missed
    uint8_t failures;    // reports to it that were not acknowledged, in a row
    bool isMature;       // the link is known to be good
} neighbour_t;

// Those with id NO_MOTE are not in use.
extern neighbour_t EstimatorP__neighbours[NUM_NEIGHBOURS];

void EstimatorP__start(void);

// A beacon of id came. NULL: there is no place for it.
neighbour_t *EstimatorP__heard(am_addr_t id, uint8_t number);

// A report was sent to id. One that takes none for long is forgotten.
void EstimatorP__sent(am_addr_t id, bool wasAcked);

#endif
