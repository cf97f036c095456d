// The one hardware timer under all others. Each kind of board has its own
// implementation; time is in milliseconds since boot: binary ones (1/1024 s) on
// boards with a watch crystal, as in TinyOS, and decimal ones elsewhere. It
// wraps after 49 days, so compare times only by their difference.
#ifndef CLOCK_H
#define CLOCK_H

#include "kernel.h"

void ClockC__init(void);

uint32_t ClockC__now(void);

// Calls ClockC__fired at that time, or before it when that is further away than
// the hardware can count, or as soon as possible when it is past or too near.
// The next alarm replaces this one. Without one it is called now and then, since
// the hardware counter must be read in each of its turns.
void ClockC__alarmAt(uint32_t at);

// The alarm went off. Runs in its handler; belongs to the user of the clock.
void ClockC__fired(void);

// The CPU is about to enter a sleep mode that stops its clock. Called with
// interrupts off.
void ClockC__stopping(void);

// What the clock's handler calls. A traced mote that rests looks at the clock then.
#ifdef TRACED
#include "motehound_trace.h"
#define CLOCK_FIRED() (mh_trace_pending = MH_TRACE_PENDING_TICK, ClockC__fired())
#else
#define CLOCK_FIRED() ClockC__fired()
#endif

#endif
