// Events as they come: the first two stages of motehound_trace_state.h, and who works when.
//
// Who is traced must not be made slower than need be, a handler least of all. So an event is only put down. The work on it is done,
// with interrupts on, while the mote has nothing else to do: before it sleeps, if its kernel says so (mh_trace_rest). If it
// does not, or if too many wait, the next event that comes with interrupts on does it. With interrupts off nothing is done, but
// see mh_work_if_starved. motehound_trace_idle.c says what else is done when the mote rests.
#include <string.h>

#include "motehound_trace_state.h"

mh_trace_state mh_trace MH_TRACE_KEPT;

// Motes wake often, and mostly there is nothing to do: this is told from outside. It may be set when there is not.
volatile uint8_t mh_trace_pending;

enum {
    // So many may wait in programs that rest; and so many before handlers work on them.
    MH_LATER = MH_TRACE_WAITING / 2,
    MH_FULL = MH_TRACE_WAITING - 4,

    MH_STARVED = 255,
};

// The oldest of more than keep elements that wait, or 0.
static const mh_element *mh_oldest(uint8_t keep)
{
    mh_trace_flags flags;
    const mh_element *oldest = 0;

    MH_TRACE_LOCK(flags);
    if (mh_trace.count > keep) {
        oldest = mh_trace.newest + (MH_TRACE_WAITING + 1 - mh_trace.count);
        if (oldest >= &mh_trace.waiting[MH_TRACE_WAITING])
            oldest -= MH_TRACE_WAITING;
    }
    MH_TRACE_UNLOCK(flags);
    return oldest;
}

// For whoever has set busy. One piece of work: on an element, if more than keep wait, or else for the flash. The element waits until it is
// in its chunk: if a reset comes before, it is worked on again. What says so is stored in one go.
uint8_t mh_piece(uint8_t keep)
{
    const mh_element *e = mh_oldest(keep);

    if (e != 0) {
        mh_trace_flags flags;

        uint16_t run = mh_complete(e);
        uint8_t left;

        MH_TRACE_LOCK(flags);
        left = mh_trace.count - 1;
        mh_trace.settled = mh_trace.fill;
        MH_TRACE_BARRIER();
        mh_trace.run = run;
        mh_trace.count = left;
        MH_TRACE_UNLOCK(flags);
        return MH_DID_ELEMENT;
    }
    return mh_trace.busy == MH_BUSY_OPEN && mh_store();
}

// No more than can wait: handlers may bring more all the time. If they leave so little time to others that they miss something,
// nobody must be at work when they find that out.
static void mh_drain(uint8_t keep)
{
    uint8_t most = MH_TRACE_WAITING;

    while (mh_piece(keep) == MH_DID_ELEMENT && --most != 0 && (mh_trace.count != MH_TRACE_WAITING || mh_trace.busy == MH_BUSY))
        ;
}

// All that was seen until now is in chunks, and the flash is to have them, though handlers go on: what waits is closed, so that it
// does not change any more, and no more than that is worked on.
void mh_close(void)
{
    mh_trace_flags were, off;
    uint8_t most;

    mh_trace.busy = MH_BUSY_OPEN;
    MH_TRACE_LOCK(were);
    MH_TRACE_LOCK(off);
    mh_miss(0, 0, off);
    most = mh_trace.count;
    MH_TRACE_UNLOCK(were);
    do {
        mh_save();
        mh_piece(0);
    } while (--most != 0);
    mh_sync();
}

// Once in a while.
static void mh_look_at_clock(void)
{
    if (++mh_trace.beat == 0 && MH_TRACE_SYNC != 0 && (uint16_t)((uint16_t)MH_TRACE_CLOCK() - mh_trace.synced) >= MH_TRACE_SYNC) {
        mh_drain(MH_KEEP);
        mh_sync();
    }
}

// With interrupts on.
void mh_work(void)
{
    mh_trace.busy = MH_BUSY_OPEN;
    mh_trace.closed = 0;
    mh_drain(mh_trace.later);
    mh_look_at_clock();
    mh_trace.busy = 0;
}

// If the kernel is traced, too, each look for a task is an event. So while nothing but such looks happens there must be an end of it:
// if more waits than was left the last time, the mote sleeps first.
unsigned char mh_trace_rest(void)
{
    mh_trace_state *t = mh_near();
    mh_trace_flags flags;
    uint8_t did = 0;

    t->later = MH_LATER;
    t->closed = 0;
    if (!t->busy && t->count <= t->calm) {
        t->busy = MH_BUSY_OPEN;
        mh_trace_pending = 0;
        MH_TRACE_OPEN();
        did = mh_piece(MH_KEEP);
        MH_TRACE_LOCK(flags);
        (void)flags; // they were on
        mh_trace_pending |= did | t->full | t->committing;
        t->busy = 0;
    }
    t->calm = did ? t->count : 0xFF;
    return did;
}

#define MH_KIND_OF(label) ((label) & MH_TRACE_LABEL(MH_KIND_CALL, 0))

// With interrupts off, and the last places are taken: nothing is done, and events will be lost; a handler that is late does more harm.
// But a mote that has come here so often, and nowhere else, does nothing but handle interrupts: whatever it was to do, it does
// not do it any more. Only then handlers do the work, and write to the flash, so that the log tells of it.
static void mh_work_if_starved(void)
{
    if (mh_trace.closed != MH_STARVED) {
        mh_trace.closed++;
        return;
    }
    mh_trace.busy = MH_BUSY;
    mh_store();
    mh_drain(MH_FULL);
    mh_trace.busy = 0;
}

// As many wait as may, and interrupts are off; flags say how they were.
static MH_TRACE_APART void mh_wait_and_work(mh_trace_label label, mh_trace_flags flags)
{
    if (!mh_trace.busy) {
        if (MH_TRACE_WERE_ON(flags)) {
            mh_trace.busy = MH_BUSY_OPEN;
            MH_TRACE_OPEN();
            mh_work();
        } else if (MH_KIND_OF(label) != 0 && mh_trace.count > MH_FULL) {
            mh_work_if_starved();
        }
    }
    MH_TRACE_UNLOCK(flags);
}

// For whoever has seen that there is room. A reset should find it there or not: what says so is stored last, and in one go.
MH_TRACE_APART void mh_add(mh_trace_label label, uint16_t path, mh_trace_flags flags, uint8_t count)
{
    mh_element *e = mh_trace.newest;
    uint8_t waiting = mh_trace.count + 1;

    e = e == &mh_trace.waiting[MH_TRACE_WAITING - 1] ? mh_trace.waiting : e + 1;
    e->label = label;
    e->path = path;
    e->count = count;
    mh_trace_pending = 1;
    MH_TRACE_BARRIER();
    mh_trace.newest = e;
    mh_trace.count = waiting;
    if (waiting > mh_trace.later)
        mh_wait_and_work(label, flags);
    else
        MH_TRACE_UNLOCK(flags);
}

// There is no room: the last place is for an element that says how many are missing. Such an element stays as it is, and so does all before
// it: with none missing, it is for who wants that.
MH_TRACE_APART void mh_miss(mh_trace_label label, uint16_t events, mh_trace_flags flags)
{
    mh_element *e = mh_trace.newest;

    if (mh_trace.count != MH_TRACE_WAITING) {
        mh_add(MH_TRACE_LABEL(MH_KIND_CALL, 0), events, flags, MH_MISSED);
        return;
    }
    events += e->path;
    if (events != 0)
        e->path = events;
    mh_wait_and_work(label, flags);
}

// Interrupts are off, flags say how they were. A LEAVE behind its own ENTER makes one CALL of both (the paper's level 1), and what
// comes again is counted (level 3). All that is traced waits for this: what is rare is done elsewhere.
static MH_TRACE_APART void mh_wait(mh_trace_label label, uint16_t path, mh_trace_flags flags)
{
    uint8_t count = mh_trace.count;
    mh_element *e = mh_trace.newest;

    if (count >= MH_TRACE_WAITING - 1) {
        mh_miss(label, 1, flags);
        return;
    }
    if (count != 0 && e->label == (label ^ MH_TRACE_LABEL(MH_TRACE_KIND_LEAVE, 0)) &&
        MH_KIND_OF(label) == MH_TRACE_LABEL(MH_TRACE_KIND_LEAVE, 0)) {
        label |= MH_TRACE_LABEL(MH_KIND_CALL, 0);
        e = e == mh_trace.waiting ? &mh_trace.waiting[MH_TRACE_WAITING - 1] : e - 1;
        mh_trace.newest = e;
        mh_trace.count = --count;
    }
    if (count != 0 && e->label == label && e->path == path && e->count < MH_MISSED - 1 && MH_KIND_OF(label) != 0) {
        e->count++;
        MH_TRACE_UNLOCK(flags);
    } else {
        mh_add(label, path, flags, 1);
    }
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
    mh_trace_state *t = mh_near();

    return t->magic == MH_KEPT_MAGIC && (uint16_t)((uint8_t *)t->newest - (uint8_t *)t->waiting) < sizeof t->waiting &&
           t->fill <= MH_PAYLOAD && t->settled <= MH_PAYLOAD &&
           t->filling < 2 && t->next < MH_HISTORY && t->numKnown <= MH_KNOWN;
}

void mh_trace_start(void)
{
    mh_trace_state *t = mh_near();
    uint8_t wasBusy = 0;

    mh_trace_store_start();
    if (mh_is_sound()) {
        wasBusy = t->busy;
        t->given = 0;
        t->busy = MH_BUSY_OPEN;
        if (wasBusy)
            mh_undo();
        mh_close();
        mh_save();
        mh_leave_page();
        t->header.boot++;
        t->kept = 1;
    } else {
        memset(&mh_trace, 0, sizeof mh_trace);
        t->newest = t->waiting;
        t->busy = MH_BUSY_OPEN;
        mh_recover();
        t->magic = MH_KEPT_MAGIC;
    }
    t->later = MH_KEEP;
    t->closed = MH_STARVED; // what starts with interrupts off keeps nobody waiting
    t->synced = 0;
    mh_open_page(0);
    mh_put(MH_RESET);
    mh_put(MH_TRACE_CAUSE());
    mh_put(wasBusy);
    // A boot is on record even if it is a short one, if the flash is not busy with what was kept.
    mh_sync();
    while (mh_store())
        ;
    t->busy = 0;
}
