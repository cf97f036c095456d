// What every component of the kernel and every app sees: results, atomic
// sections, tasks and who this mote is. The kernel is shaped like TinyOS 2:
// interrupt handlers do little and post tasks, tasks run one after the other
// to their end, and the CPU sleeps when there is none. Names follow what
// nesC makes of TinyOS's components (Component__command, Component__variable),
// so that one pair of eyes, and one set of tools, reads both.
#ifndef KERNEL_H
#define KERNEL_H

#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <util/atomic.h>

#include "wiring.h"

// The numbers are TinyOS's (TEP 4, TinyError.h).
enum {
    SUCCESS = 0,
    FAIL = 1,
    ESIZE = 2,
    ECANCEL = 3,
    EOFF = 4,
    EBUSY = 5,
    EINVAL = 6,
};

typedef uint8_t error_t;

// atomic { ... } keeps interrupt handlers out. It nests: leaving it, by its end
// or by return, puts the interrupt flag back to what it was on entry.
#define atomic ATOMIC_BLOCK(ATOMIC_RESTORESTATE)

typedef uint16_t am_addr_t;

enum {
    TOS_BCAST_ADDR = 0xFFFF,
    TOS_AM_GROUP = 0x22,
};

// Initialised data, and never written by the firmware: an installer gives each
// mote its id by patching the initial values in flash.
extern am_addr_t TOS_NODE_ID;
extern am_addr_t ActiveMessageAddressC__addr;

// Puts a task at the end of the queue. EBUSY: it waits there already, and runs
// once for both posts. Safe in handlers and in tasks.
error_t SchedulerBasicP__TaskBasic__postTask(uint8_t id);

static inline error_t post(enum task_id task)
{
    return SchedulerBasicP__TaskBasic__postTask(task);
}

// The rest is between the kernel's own files.
void SchedulerBasicP__Scheduler__init(void);
void SchedulerBasicP__Scheduler__taskLoop(void) __attribute__((noreturn));

// Sleeps until an interrupt was handled. To be called with interrupts off, and
// returns so.
void McuSleepC__McuSleep__sleep(void);

// Each kind of board has its own of these two: pins into their idle state; the
// deepest sleep mode (one of avr/sleep.h) in which all that is active goes on.
void PlatformC__init(void);
uint8_t PlatformC__sleepMode(void);

// The app's entry: the kernel is up, interrupts are on.
void BootC__booted(void);

#endif
