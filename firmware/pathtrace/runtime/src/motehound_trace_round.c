// Rounds of a loop that were counted by who ran it; see motehound_trace.h.
#include "motehound_trace_state.h"

// The latest event is the newest that waits, or is missing: interrupts were off ever since, and it was the same procedure's.
void mh_trace_more(unsigned char times)
{
    mh_element *e = mh_trace.newest;
    uint8_t most = MH_MISSED - 1 - e->count;
    mh_trace_flags flags;

    if (e->count == MH_MISSED) {
        e->path = mh_sum(e->path, times);
    } else if (times <= most) {
        e->count += times;
    } else {
        e->count = MH_MISSED - 1;
        times -= most;
        MH_TRACE_LOCK(flags); // they are off; mh_add leaves them as flags say
        if (mh_trace.count < MH_TRACE_WAITING - 1)
            mh_add(e->label, e->path, flags, times);
        else
            mh_add(MH_TRACE_LABEL(MH_KIND_CALL, 0), times, flags, MH_MISSED);
    }
}
