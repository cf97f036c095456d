// Events as they come: the first two stages of motehound_trace_state.h, and who works when.
//
// A handler that is traced must not be made slower than need be, nor what is traced in an atomic section. So with interrupts
// off an event is only put down. The work on it is done by the next one that comes with interrupts on, and with them on; or,
// when too many wait (a mote in which nothing but handlers runs), one by one with each that comes, but not at a procedure's
// begin: what a handler does first is often what is urgent.
#include <string.h>

#include "motehound_trace_state.h"

mh_trace_state mh_trace MH_TRACE_KEPT;

enum {
    MH_WAITING_MASK = MH_TRACE_WAITING - 1,

    // The newest element is not complete before another follows; and if that is an ENTER, the one before it may still be
    // repeated: see mh_put_down.
    MH_KEEP = 2,
};

// Takes the oldest of more than keep elements that wait.
static uint8_t mh_take(mh_element *e, uint8_t keep)
{
    mh_trace_flags flags;
    uint8_t isThere;

    MH_TRACE_LOCK(flags);
    isThere = mh_trace.count > keep;
    if (isThere) {
        *e = mh_trace.waiting[(uint8_t)(mh_trace.newest + 1 - mh_trace.count) & MH_WAITING_MASK];
        mh_trace.count--;
    }
    MH_TRACE_UNLOCK(flags);
    return isThere;
}

// Once one event found no room, none is put down before those that wait are gone: so what is missing is all in one place.
static void mh_admit_loss(void)
{
    mh_trace_flags flags;

    MH_TRACE_LOCK(flags);
    if (mh_trace.count == 0) {
        mh_lose(mh_trace.missed);
        mh_trace.missed = 0;
    }
    MH_TRACE_UNLOCK(flags);
}

// For whoever has set busy.
static void mh_drain(uint8_t keep)
{
    mh_element e;

    if (mh_trace.missed != 0)
        keep = 0;
    while (mh_take(&e, keep))
        mh_complete(&e);
    if (mh_trace.missed != 0)
        mh_admit_loss();
}

// All that was seen is in chunks. Waits for the flash where it must.
void mh_empty(void)
{
    mh_element e;

    while (mh_save(), mh_take(&e, 0))
        mh_complete(&e);
    mh_admit_loss();
    mh_save();
}

// And the chunks are in the flash, or on their way there.
void mh_flush(void)
{
    mh_empty();
    mh_sync();
    mh_save();
}

// With interrupts on.
void mh_work(void)
{
    mh_trace.busy = MH_BUSY_OPEN;
    mh_trace.closed = 0;
    mh_drain(MH_KEEP);
    // The stages are at rest now, and while the flash is given a chunk handlers may work on them: that takes as long as
    // several of theirs.
    mh_trace.storing = 1;
    mh_trace.busy = 0;
    mh_store();
    mh_trace.busy = MH_BUSY_OPEN;
    mh_trace.storing = 0;
    if (++mh_trace.beat == 0 && MH_TRACE_SYNC != 0 && (uint16_t)((uint16_t)MH_TRACE_CLOCK() - mh_trace.synced) >= MH_TRACE_SYNC) {
        mh_drain(0);
        mh_sync();
    }
    mh_trace.busy = 0;
}

#define MH_KIND_OF(label) ((label) & MH_TRACE_LABEL(MH_KIND_CALL, 0))

// A LEAVE behind its own ENTER makes one CALL of both (the paper's level 1), and what comes again is counted (level 3). Is not
// called when there is no room.
static void mh_put_down(mh_trace_label label, uint16_t path)
{
    uint8_t count = mh_trace.count, newest = mh_trace.newest;
    mh_element *e = &mh_trace.waiting[newest];

    if (count != 0 && e->label == (label ^ MH_TRACE_LABEL(MH_TRACE_KIND_LEAVE, 0)) &&
        MH_KIND_OF(label) == MH_TRACE_LABEL(MH_TRACE_KIND_LEAVE, 0)) {
        label |= MH_TRACE_LABEL(MH_KIND_CALL, 0);
        newest = (uint8_t)(newest - 1) & MH_WAITING_MASK;
        e = &mh_trace.waiting[newest];
        count--;
    }
    if (count != 0 && e->label == label && e->path == path && e->count != 255 && MH_KIND_OF(label) != 0) {
        e->count++;
    } else {
        newest = (uint8_t)(newest + 1) & MH_WAITING_MASK;
        e = &mh_trace.waiting[newest];
        e->label = label;
        e->path = path;
        e->count = 1;
        count++;
    }
    mh_trace.newest = newest;
    mh_trace.count = count;
}

// Interrupts are off, flags say how they were.
static MH_TRACE_APART void mh_wait(mh_trace_label label, uint16_t path, mh_trace_flags flags)
{
    uint8_t isDue = 1;

    if (mh_trace.count < MH_TRACE_WAITING && mh_trace.missed == 0) {
        mh_put_down(label, path);
        isDue = mh_trace.count > MH_KEEP || mh_trace.full || mh_trace.committing;
    } else if (mh_trace.missed != 0xFFFF) {
        mh_trace.missed++;
    }
    if (!mh_trace.busy && isDue) {
        if (MH_TRACE_WERE_ON(flags) && !mh_trace.storing) {
            mh_trace.busy = MH_BUSY_OPEN;
            MH_TRACE_OPEN();
            mh_work();
        } else if (MH_KIND_OF(label) != 0) {
            // A mote in which nothing else has run for long may as well write to its flash now and then.
            mh_trace.busy = ++mh_trace.closed == 0 ? MH_BUSY_OPEN : MH_BUSY;
            mh_drain(MH_TRACE_WAITING / 2);
            mh_trace.busy = 0;
        }
    }
    MH_TRACE_UNLOCK(flags);
}

void mh_trace_enter(mh_trace_label label)
{
    mh_trace_flags flags;

    MH_TRACE_LOCK(flags);
    mh_wait(label, 0, flags);
}

void mh_trace_path8(mh_trace_label label, unsigned char path)
{
    mh_trace_flags flags;

    MH_TRACE_LOCK(flags);
    mh_wait(label, path, flags);
}

void mh_trace_path16(mh_trace_label label, unsigned short path)
{
    mh_trace_flags flags;

    MH_TRACE_LOCK(flags);
    mh_wait(label, path, flags);
}

// What was kept over a reset may be anything if the program's bug was to overwrite it. At least nothing else is overwritten
// by what we do with it.
static uint8_t mh_is_sound(void)
{
    return mh_trace.magic == MH_KEPT_MAGIC && mh_trace.newest < MH_TRACE_WAITING && mh_trace.fill <= MH_PAYLOAD &&
           mh_trace.filling < 2 && mh_trace.next < MH_HISTORY && mh_trace.numKnown <= MH_KNOWN;
}

void mh_trace_start(void)
{
    uint8_t wasBusy = 0;

    mh_trace_store_start();
    if (mh_is_sound()) {
        wasBusy = mh_trace.busy;
        mh_trace.busy = MH_BUSY_OPEN;
        mh_flush();
        mh_leave_page();
        mh_trace.header.boot++;
        mh_trace.kept = 1;
    } else {
        memset(&mh_trace, 0, sizeof mh_trace);
        mh_trace.busy = MH_BUSY_OPEN;
        mh_recover();
        mh_trace.magic = MH_KEPT_MAGIC;
    }
    mh_trace.storing = 0;
    mh_trace.synced = 0;
    mh_open_page(0);
    mh_put(MH_RESET);
    mh_put(MH_TRACE_CAUSE());
    mh_put(wasBusy);
    // A boot is on record even if it is a short one, if the flash is not busy with what was kept.
    mh_sync();
    mh_store();
    mh_trace.busy = 0;
}
