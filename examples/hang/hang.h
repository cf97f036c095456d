// What the files of hang know of each other, besides collect.h:
//
//   hang.c        events, reports of them, and what the root does with those
//   forwarder.c   handing reports to the parent; the bug is here
//   heartbeat.c   who is alive
//   share.c       the radio for all of them, as am_queue.h has it, but without a queue
//
// and, as they are in collect, router.c and estimator.c.
#ifndef HANG_H
#define HANG_H

#include "collect.h"

enum { AM_HEARTBEAT = 18 };

void HeartbeatP__start(void);
void HeartbeatP__received(am_addr_t from);

#endif
