// Between the files of starve.
#ifndef STARVE_H
#define STARVE_H

#include "kernel.h"

// What the queue can hold: the app's work, and the radio's news that a message was
// sent.
enum job {
    JOB_WORK,
    JOB_SENT,
};

// False: the queue is full. Safe in handlers.
bool QueueP__post(enum job job);

void StarveC__work(void);

#endif
