// Trickle (Levis et al., NSDI 2004; RFC 6206): motes that agree tell each other so
// less and less often, and one that hears something new tells it soon. Time is cut
// into intervals that double from TRICKLE_LOW_MS to TRICKLE_HIGH_MS; once in each,
// at a random moment of its second half, there is something to tell, unless
// TRICKLE_REDUNDANCY others told the same since it began. There are TRICKLE_KEYS
// of these, all in the app's app.h, which also lists TRICKLE_TIMERS. To be used in
// tasks only.
#ifndef TRICKLE_H
#define TRICKLE_H

#include "kernel.h"

// Begins a shortest interval for each key.
void TrickleC__start(void);

// Something new for this key: begins a shortest interval, unless it is in one.
void TrickleC__reset(uint8_t key);

// Another mote told what this one would.
void TrickleC__heardSame(uint8_t key);

// Time to tell. The app's; runs in a task.
void TrickleC__fired(uint8_t key);

#endif
