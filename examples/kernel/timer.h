// As many timers as the app lists in TIMERS, from the one clock. A timer <name>
// calls void <name>__fired(void), in a task. To be used in tasks only.
#ifndef TIMER_H
#define TIMER_H

#include "kernel.h"

// Periods are kept to from the first start: a firing that comes late does not
// delay those after it, and none is left out.
void TimerC__startPeriodic(enum timer_id timer, uint32_t period);
void TimerC__startOneShot(enum timer_id timer, uint32_t delay);
void TimerC__stop(enum timer_id timer);
uint32_t TimerC__getNow(void);

#endif
