// What the files of collect know of each other:
//
//   collect.c     readings, and what the root does with them
//   forwarder.c   handing readings to the parent
//   router.c      beacons, and who the parent is
//   estimator.c   how good the link to each neighbour is
//
// The cost of a link is how often a message must be sent over it until it is
// acknowledged (ETX, De Couto et al., MobiCom 2003), the cost of a path the sum of
// its links', both in sixteenths.
#ifndef COLLECT_H
#define COLLECT_H

#include "radio.h"

enum {
    AM_COLLECT_BEACON = 16,
    AM_COLLECT_DATA = 17,

    ROOT = 0,
    NO_MOTE = 0xFFFF,

    COST_ONE = 16,
    COST_NONE = 0xFFFF,    // there is no path
};

typedef struct {
    nx_uint16_t parent;
    nx_uint16_t cost;      // of the path to the root
    nx_uint8_t number;     // counts up, so that who misses one notices
} collect_beacon_t;

typedef struct {
    nx_uint16_t origin;
    nx_uint16_t number;
    nx_uint8_t hops;
    nx_uint16_t cost;      // of the path from who sent it last
    nx_uint16_t reading;
} collect_data_t;

typedef struct {
    am_addr_t id;
    am_addr_t parent;      // as its last beacon said, like its cost
    uint16_t pathCost;
    uint16_t linkCost;
    uint16_t heardAt;      // its last beacon, in seconds
    uint8_t number;        // of that
    uint8_t beacons;       // heard in this window,
    uint8_t missed;        // and missed
    uint8_t attempts;      // to send data to it, in this window,
    uint8_t acked;         // and acknowledged
    uint8_t failures;      // since the last acknowledged one
    bool isMature;         // a whole window has been seen
} neighbour_t;

enum { NUM_NEIGHBOURS = 8 };

// Those with id NO_MOTE are not in use.
extern neighbour_t EstimatorP__neighbours[NUM_NEIGHBOURS];

void EstimatorP__start(void);

// A beacon of id came. Never the one of keep is given up for a new neighbour. NULL: it
// was not worth a place.
neighbour_t *EstimatorP__heard(am_addr_t id, uint8_t number, uint16_t pathCost, am_addr_t keep);

// Data was sent to id.
void EstimatorP__sent(am_addr_t id, bool wasAcked);

// Forgets those that are silent for long.
void EstimatorP__age(void);

void RouterP__start(void);
void RouterP__received(am_addr_t from, const collect_beacon_t *beacon);
am_addr_t RouterP__parent(void);    // or NO_MOTE
uint16_t RouterP__cost(void);

// Someone's idea of our cost is out of date: says it soon.
void RouterP__announce(void);

// False: there is no room.
bool ForwarderP__put(const collect_data_t *data);
void ForwarderP__received(const collect_data_t *data);

// The root has it.
void CollectC__deliver(const collect_data_t *data);

#endif
