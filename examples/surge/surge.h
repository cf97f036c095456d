// Between the two files of surge.
#ifndef SURGE_H
#define SURGE_H

#include "kernel.h"
#include "message.h"

enum {
    AM_BEACON = 16,
    AM_READING = 17,
    ROOT = 0,
};

typedef struct {
    nx_uint16_t origin;
    nx_uint16_t number;
    nx_uint16_t reading;
    nx_uint8_t hops;
} reading_t;

// Sends a reading towards the root. False: there is no way, or no room.
bool RouteP__send(const reading_t *reading);

// The radio is on.
void RouteP__start(void);

// The root got a reading; one of ours was sent, or given up. Both are the app's.
void SurgeC__delivered(const reading_t *reading);
void SurgeC__sendDone(bool wasSent);

#endif
