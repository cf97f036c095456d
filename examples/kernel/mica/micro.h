// The fine clock of the Mica boards, for radios: timer 1 counts the CPU's clock
// by 8, 921,600 times a second. It needs the CPU's oscillator, so while it runs
// the mote sleeps no deeper than idle. One alarm. For tasks, but for
// MicroC__extend and MicroC__now.
#ifndef MICRO_H
#define MICRO_H

#include "board.h"
#include "kernel.h"

#define MICRO_HERTZ (F_CPU / 8)

// A constant number of microseconds, up to 70,000, in counts.
#define MICRO_FROM_US(us) ((uint16_t)((us) * (MICRO_HERTZ / 100UL) / 10000UL))

void MicroC__start(void);

// Wraps after 77 minutes.
uint32_t MicroC__now(void);

// What MicroC__now was when timer 1 was at count, less than 71 ms ago.
uint32_t MicroC__extend(uint16_t count);

// Calls MicroC__fired after that many counts, instead of what was set before.
void MicroC__setAlarm(uint16_t counts);

// The alarm is off: MicroC__fired is not called for it any more.
void MicroC__stopAlarm(void);

// The alarm's event, in a task; belongs to the radio's driver.
void MicroC__fired(void);

#endif
