// The stage with the history: sequences that come again cost nothing while they do.
#include "motehound_trace_state.h"

enum {
    // The longest run that is kept as one number.
    MH_RUN_MAX = 0xFFFF,

    // So often the flash is asked for a place after events were lost: it takes a whole chunk if it answers.
    MH_AGAIN = (MH_TRACE_CHUNK + MH_TRACE_STEP - 1) / MH_TRACE_STEP,
};

// Not inline: small is more than fast here.
static MH_TRACE_APART uint8_t mh_same(const mh_element *a, const mh_element *b)
{
    return a->label == b->label && a->path == b->path && a->count == b->count;
}

static uint8_t mh_before(uint8_t at)
{
    return (at == 0 ? MH_HISTORY : at) - 1;
}

static MH_TRACE_APART uint8_t mh_after(uint8_t at)
{
    return at == MH_HISTORY - 1 ? 0 : at + 1;
}

void mh_forget(void)
{
    mh_trace.numKnown = mh_trace.length = 0;
    mh_trace.expect = MH_NOTHING;
}

static uint8_t mh_find(const mh_element *e)
{
    uint8_t i = mh_trace.numKnown;

    while (i-- != 0)
        if (mh_same(&mh_trace.known[i], e))
            break;
    return i;
}

// Predicts what came behind an element when it last came, or last came behind the same.
static void mh_predict_behind(uint8_t known)
{
    mh_trace_state *t = mh_near();
    uint8_t at = t->next;
    uint8_t last = t->history[mh_before(at)];

    t->expect = MH_NOTHING;
    for (uint8_t left = t->length; left != 0; left--) {
        uint8_t behind = at;

        at = mh_before(at);
        if (t->history[at] != known)
            continue;

        uint8_t isLonger = left != 1 && t->history[mh_before(at)] == last;

        if (isLonger || t->expect == MH_NOTHING)
            t->expect = behind;
        if (isLonger)
            break;
    }
}

// A place for a new element: a free one, or the last. More elements than places that come in turn would, if the one that has not
// come for longest had to go, each have to go just before it comes again. And a page is soon over.
static uint8_t mh_place(void)
{
    if (mh_trace.numKnown != MH_KNOWN)
        mh_trace.numKnown++;
    return mh_trace.numKnown - 1;
}

static void mh_put_first(uint8_t what)
{
    uint16_t run = mh_trace.run;

    if (run < 7) {
        mh_put((uint8_t)run << 5 | what);
    } else {
        mh_put(7 << 5 | what);
        mh_put_number(run);
    }
}

// For whoever has made room.
void mh_put_run(void)
{
    if (mh_trace.run != 0) {
        mh_put(MH_RUN);
        mh_put_number(mh_trace.run);
        mh_settle();
    }
}

static void mh_put_new(const mh_element *e)
{
    uint8_t kind = e->label >> MH_TRACE_KIND_SHIFT;
    mh_trace_label proc = e->label & (((mh_trace_label)1 << MH_TRACE_KIND_SHIFT) - 1);

    mh_put_first(e->count == 1 ? MH_NEW : MH_NEW_COUNT);
    mh_put_number((uint16_t)proc << 2 | kind);
    if (kind != MH_TRACE_KIND_ENTER)
        mh_put_number(e->path);
    if (e->count != 1)
        mh_put(e->count);
    mh_trace.procs |= (uint16_t)1 << (proc & 15);
}

// Room for a token, where it can be read without the page before. Where interrupts are on, who traces more than the flash can take
// waits for it: tasks can wait, and nothing is lost. But not as long again and again for one that does not answer. 0: there is no
// room. What was lost comes before what is there again.
uint8_t mh_make_room(void)
{
    mh_trace_state *t = mh_near();
    uint16_t tries = t->busy != MH_BUSY_OPEN ? 0 : t->lost == 0 ? MH_TRACE_PATIENCE : MH_AGAIN;

    while (t->full && (t->left < MH_RESERVE || mh_room() < MH_RESERVE)) {
        if (tries-- == 0 || t->count == MH_TRACE_WAITING)
            return 0;
        mh_store();
    }
    if (t->left < MH_RESERVE) {
        mh_put_run();
        mh_next_page();
    }
    if (t->lost != 0) {
        mh_put_run();
        mh_put(MH_LOST);
        mh_put_number(t->lost);
        mh_settle();
        t->lost = 0;
        t->expect = MH_NOTHING;
        return mh_make_room();
    }
    return 1;
}

// No more than there is room for.
uint16_t mh_sum(uint16_t a, uint16_t b)
{
    a += b;
    return a < b ? 0xFFFF : a;
}

void mh_lose(uint16_t events)
{
    mh_trace.lost = mh_sum(mh_trace.lost, events);
}

// What is in memory is put into its chunk, that is filled up, and the flash is to have it. If there is no room it will be done
// another time.
void mh_sync(void)
{
    mh_trace_state *t = mh_near();
    if (!mh_make_room())
        return;
    mh_put_run();
    if (t->fill != 0) {
        t->timeless = 1;
        mh_put_time();
        mh_pad();
        mh_settle();
    }
    t->synced = (uint16_t)t->header.time;
    if (t->full)
        t->urgent = 1;
    else if (t->chunk != 0)
        t->committing = 1;
}

// A token for an element that was not predicted. Returns which of those known it is.
static uint8_t mh_put_element(const mh_element *e)
{
    uint8_t i = mh_find(e);

    if (i != MH_NOTHING) {
        mh_put_first(i);
        mh_predict_behind(i);
    } else {
        mh_put_new(e);
        i = mh_place();
        mh_trace.known[i] = *e;
    }
    return i;
}

// Gives the run behind it.
uint16_t mh_complete(const mh_element *e)
{
    mh_trace_state *t = mh_near();
    const mh_element *predicted = 0;
    uint8_t which = 0;
    uint16_t run = t->run;

    if (e->count == MH_MISSED) {
        mh_lose(e->path);
        return run;
    }
    if (t->expect != MH_NOTHING) {
        which = t->history[t->expect];
        predicted = &t->known[which];
    }
    // A run that begins must have room in this page to be told.
    if (predicted != 0 && mh_same(predicted, e) && t->lost == 0 && t->left >= MH_RUN_SIZE &&
        run != MH_RUN_MAX) {
        run++;
        t->expect = mh_after(t->expect);
    } else if (!mh_make_room()) {
        mh_lose((e->label >> MH_TRACE_KIND_SHIFT) == MH_KIND_CALL ? 2 * e->count : e->count);
        return t->run;
    } else {
        // In a new page nothing is predicted any more.
        if (t->expect != MH_NOTHING && predicted->label == e->label && predicted->path == e->path) {
            mh_put_first(MH_OTHER_COUNT);
            mh_put(e->count);
            t->expect = mh_after(t->expect);
        } else {
            which = mh_put_element(e);
        }
        mh_put_time();
        run = 0;
    }
    t->history[t->next] = which;
    t->next = mh_after(t->next);
    if (t->length != MH_HISTORY)
        t->length++;
    return run;
}
