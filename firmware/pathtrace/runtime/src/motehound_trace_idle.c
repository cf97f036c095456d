// What a kernel that has nothing to do calls: it lets the tracer work, and the log goes to the flash when the mote has rested for a while.
//
// The flash must not wear out by that. What is written takes a whole piece of a page (MH_TRACE_CHUNK), so a page is programmed at most
// MH_TRACE_CHUNKS times before the log goes on in the next one; and it is done once in MH_TRACE_GAP, and only if there is something new.
// A program that never rests for so long has all in the flash after MH_TRACE_SYNC.
#include "motehound_trace_state.h"

// For so many ticks nothing was traced.
#ifndef MH_TRACE_QUIET
#define MH_TRACE_QUIET (4U << MH_TRACE_CLOCK_LOG2)
#endif
// And for so many, less than 65536, nothing was written.
#ifndef MH_TRACE_GAP
#define MH_TRACE_GAP (60U << MH_TRACE_CLOCK_LOG2)
#endif

// In mh_trace_pending: it is time to look at the clock.
#define MH_TICK MH_TRACE_PENDING_TICK

static struct {
    uint8_t seen;      // the newest element, as far as a byte can tell one from another
    uint8_t fresh;     // the tracer had work since it was last looked at
    uint8_t unsaved;   // something was traced since the flash got all
    uint8_t begun;     // the flash got it once
    uint8_t ticks;
    uint16_t since;    // when that was last so
} mh_idle;

static uint8_t mh_newest_element(void)
{
    return (uint8_t)(uintptr_t)mh_trace.newest + mh_trace.newest->count;
}

static uint8_t mh_is_time(void)
{
    mh_trace_state *t = mh_near();
    uint16_t now = (uint16_t)MH_TRACE_CLOCK(), gap = now - t->synced;

    if (mh_newest_element() != mh_idle.seen || mh_idle.fresh) {
        mh_idle.seen = mh_newest_element();
        mh_idle.fresh = 0;
        mh_idle.unsaved = 1;
        mh_idle.since = now;
    }
    if (!mh_idle.unsaved || t->full || t->committing)
        return 0;
    return (MH_TRACE_MAY_STAND && !mh_idle.begun) || ((uint16_t)(now - mh_idle.since) >= MH_TRACE_QUIET && gap >= MH_TRACE_GAP) ||
           (MH_TRACE_SYNC != 0 && gap >= MH_TRACE_SYNC);
}

unsigned char mh_trace_pause(void)
{
    mh_trace_flags flags;
    uint8_t isTick = mh_trace_pending & MH_TICK;

    // A look at the clock takes a while: one of four will do. But what a mote without a clock does when it starts may be all that it does.
    if (MH_TRACE_MAY_STAND && !mh_idle.begun)
        isTick = MH_TICK;
    else if (isTick && (++mh_idle.ticks & 3) != 0)
        isTick = 0;
    if (mh_trace_rest()) {
        mh_idle.fresh = 1;
        mh_trace_pending |= isTick;
        return 1;
    }
    if (!isTick || mh_trace.busy)
        return 0;
    mh_trace.busy = MH_BUSY_OPEN;
    MH_TRACE_OPEN();
    if (mh_is_time()) {
        mh_close(); // then the flash gets it as it gets all else, step by step
        if (mh_trace.count == 0)
            mh_idle.seen = mh_newest_element();
        mh_idle.unsaved = 0;
        mh_idle.begun = 1;
    }
    MH_TRACE_LOCK(flags);
    (void)flags; // they were on
    mh_trace_pending |= mh_trace.full | mh_trace.committing;
    mh_trace.busy = 0;
    return 1;
}

// What answers questions, if that is linked.
void mh_trace_begin(void) __attribute__((weak));

void mh_trace_nap(void)
{
    static uint8_t looks, hasBegun;
    mh_trace_flags flags;

    if (!hasBegun && mh_trace_begin != 0)
        mh_trace_begin();
    hasBegun = 1;
    if (++looks == 0)
        mh_trace_pending |= MH_TICK;
    if (mh_trace_pending) {
        MH_TRACE_LOCK(flags);
        mh_trace_pause();
        MH_TRACE_UNLOCK(flags);
    }
}

#ifdef MH_TRACE_TICKS
static uint32_t mh_eighths;    // of a second
static uint8_t mh_rest;        // and so many 128ths of one of them

uint32_t mh_trace_time(void)
{
    mh_trace_flags flags;
    uint32_t now;

    MH_TRACE_LOCK(flags);
    now = mh_eighths;
    MH_TRACE_UNLOCK(flags);
    return now;
}
#endif

// TinyOS has the timer begin at 0 again when it has reached OCR0; by 32 (3 in TCCR0) the crystal of 32768 Hz makes 1024 steps in a second.
// If it counts otherwise, the log has no times.
void mh_trace_tick(void)
{
#if defined(MH_TRACE_TICKS) && defined(OCR0)
    mh_trace_flags flags;

    MH_TRACE_LOCK(flags);
    if ((TCCR0 & 7) == 3) {
        uint16_t steps = (uint16_t)OCR0 + 1 + mh_rest;

        mh_rest = steps & 127;
        mh_eighths += (uint8_t)(steps >> 7);
    }
    MH_TRACE_UNLOCK(flags);
#endif
    mh_trace_pending = MH_TICK;
}
