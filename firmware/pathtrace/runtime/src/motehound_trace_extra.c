// What programs may call besides the macros; see motehound_trace.h.
#include "motehound_trace_state.h"

unsigned char mh_trace_was_reset(void)
{
    return mh_trace.kept;
}

void mh_trace_service(void)
{
    if (!mh_trace.busy)
        mh_work();
}

void mh_trace_save(void)
{
    mh_trace_flags flags;

    MH_TRACE_LOCK(flags);
    mh_close();
    mh_save();
    mh_trace.busy = 0;
    MH_TRACE_UNLOCK(flags);
}

// All that was seen is in chunks. Waits for the flash where it must.
static void mh_empty(void)
{
    uint8_t most = MH_TRACE_WAITING;

    do
        mh_save();
    while (mh_piece(0) == MH_DID_ELEMENT && --most != 0);
}

// Whoever was at work is not asked: this is the end of the program, or a matter of its life. At worst the event that
// was worked on is missing.
void mh_trace_fault(unsigned char reason)
{
    mh_trace_flags flags;

    MH_TRACE_LOCK(flags);
    mh_trace.busy = MH_BUSY_OPEN;
    mh_empty();
    if (mh_make_room()) {
        mh_put_run();
        mh_put(MH_FAULT);
        mh_put(reason);
    }
    mh_sync();
    mh_save();
    mh_trace.busy = 0;
    MH_TRACE_UNLOCK(flags);
}
