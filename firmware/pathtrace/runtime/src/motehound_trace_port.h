// How the tracer sits on a machine: sizes, locks, the clock and the flash. Everything here can be given on the compiler's
// command line, or in a file named by MH_TRACE_CONFIG.
//
// Your functions. A board that is not a Mica has its own of these four instead of motehound_trace_at45db.c:
//
//   void mh_trace_store_start(void)
//       Pins into their idle state. Called once after each reset, before main.
//   uint8_t mh_trace_store_append(uint16_t page, uint16_t offset, const uint8_t *bytes, uint8_t length)
//       Takes bytes that go behind those that are in the page. With offset 0 the page, whatever it held, begins anew, and
//       reads as 0xFF behind these. They need not be in the flash before a commit, but must survive a reset.
//   uint8_t mh_trace_store_commit(uint16_t page)
//       All that was appended to the page goes to the flash. More may be appended to it later. If power fails before it is
//       done, this page may be lost, no other. What takes long it may do in several steps, with MH_TRACE_MORE after each but
//       the last: then it is called again, and nothing is appended meanwhile.
//   uint8_t mh_trace_store_read(uint16_t page, uint16_t offset, uint8_t *bytes, uint8_t length)
//       What was committed.
//
// The last three give MH_TRACE_DONE; or 0, and do nothing, if the flash is busy: they are called again. They are called with
// interrupts on, but for mh_trace_fault and before main. Where bytes can be programmed one
// by one, append does that, and commit has nothing to do.
//
// Pages are MH_TRACE_CHUNK * MH_TRACE_CHUNKS bytes, numbered from 0 to MH_TRACE_PAGES - 1.
#ifndef MOTEHOUND_TRACE_PORT_H
#define MOTEHOUND_TRACE_PORT_H

#ifdef MH_TRACE_CONFIG
#include MH_TRACE_CONFIG
#endif

#include <stdint.h>

#include "motehound_trace.h"

// A page is MH_TRACE_CHUNKS pieces of MH_TRACE_CHUNK bytes, two of which are in memory: one that fills, and one on its way to
// the flash. 8 of 33 are a page of the AT45DB.
#ifndef MH_TRACE_CHUNK
#define MH_TRACE_CHUNK 33
#endif
#ifndef MH_TRACE_CHUNKS
#define MH_TRACE_CHUNKS 8
#endif
#ifndef MH_TRACE_PAGES
#define MH_TRACE_PAGES 2048
#endif

#define MH_TRACE_DONE 1
#define MH_TRACE_MORE 2

// How many bytes the flash is given at a time: what is traced in tasks is slower by that.
#ifndef MH_TRACE_STEP
#define MH_TRACE_STEP 8
#endif

// How often a flash that is busy is asked again before events are lost: longer than it takes to program a page.
#ifndef MH_TRACE_PATIENCE
#define MH_TRACE_PATIENCE 2000
#endif

// Events that can wait until interrupts are on, a power of two.
#ifndef MH_TRACE_WAITING
#define MH_TRACE_WAITING 8
#endif

// The time, in ticks since the reset, and how many of them are a second, as a power of two. Without a clock the log has no
// times. trace cc defines MH_TRACE_TICKS where MH_TRACE_TICK is in TinyOS' clock, and MH_TRACE_SECONDS for Contiki.
#if defined(MH_TRACE_TICKS) && !defined(MH_TRACE_CLOCK)
uint32_t mh_trace_time(void);
#define MH_TRACE_CLOCK() mh_trace_time()
#define MH_TRACE_CLOCK_LOG2 3
#define MH_TRACE_MAY_STAND 1
#elif defined(MH_TRACE_SECONDS) && !defined(MH_TRACE_CLOCK)
unsigned long clock_seconds(void);
#define MH_TRACE_CLOCK() ((uint32_t)clock_seconds())
#endif
#ifndef MH_TRACE_CLOCK
#define MH_TRACE_CLOCK() ((uint32_t)0)
#define MH_TRACE_MAY_STAND 1
#endif
// Whether the clock may never go: TinyOS' does not in a program without timers.
#ifndef MH_TRACE_MAY_STAND
#define MH_TRACE_MAY_STAND 0
#endif
#ifndef MH_TRACE_CLOCK_LOG2
#define MH_TRACE_CLOCK_LOG2 0
#endif

// After so many ticks, less than 65536, what is in memory goes to the flash although its piece of a page is not full; 0 for
// never.
#ifndef MH_TRACE_SYNC
#define MH_TRACE_SYNC (600U << MH_TRACE_CLOCK_LOG2)
#endif

// Interrupts off, and as they were before; whether they were on before. MH_TRACE_OPEN lets them in.
#if defined(__AVR__)
#include <avr/io.h>
typedef uint8_t mh_trace_flags;
#define MH_TRACE_LOCK(flags) do { (flags) = SREG; __asm__ volatile("cli" ::: "memory"); } while (0)
#define MH_TRACE_UNLOCK(flags) do { __asm__ volatile("" ::: "memory"); SREG = (flags); } while (0)
#define MH_TRACE_WERE_ON(flags) ((flags) & 0x80)
#define MH_TRACE_OPEN() __asm__ volatile("sei" ::: "memory")
// Memory that a reset leaves alone, and why there was one.
#define MH_TRACE_KEPT __attribute__((section(".noinit")))
#if defined(MCUCSR)
#define MH_TRACE_CAUSE() MCUCSR
#elif defined(MCUSR)
#define MH_TRACE_CAUSE() MCUSR
#endif
#endif

#ifndef MH_TRACE_LOCK
typedef uint8_t mh_trace_flags;
#define MH_TRACE_LOCK(flags) ((flags) = 1)
#define MH_TRACE_UNLOCK(flags) ((void)(flags))
#define MH_TRACE_WERE_ON(flags) (flags)
#define MH_TRACE_OPEN() ((void)0)
#endif
#ifndef MH_TRACE_KEPT
#define MH_TRACE_KEPT
#endif
#ifndef MH_TRACE_CAUSE
#define MH_TRACE_CAUSE() 0
#endif
// How mh_trace_start is called before main; define it as nothing and call it yourself where there are no constructors.
#ifndef MH_TRACE_EARLY
#define MH_TRACE_EARLY __attribute__((constructor))
#endif

// Nothing is stored later than what comes behind it.
#ifdef __GNUC__
#define MH_TRACE_BARRIER() __asm__ volatile("" ::: "memory")
#else
#define MH_TRACE_BARRIER() ((void)0)
#endif

// A function that is called from several places is to be there once.
#define MH_TRACE_APART __attribute__((noinline))

void mh_trace_store_start(void);
uint8_t mh_trace_store_append(uint16_t page, uint16_t offset, const uint8_t *bytes, uint8_t length);
uint8_t mh_trace_store_commit(uint16_t page);
uint8_t mh_trace_store_read(uint16_t page, uint16_t offset, uint8_t *bytes, uint8_t length);

void mh_trace_start(void) MH_TRACE_EARLY;

#endif
