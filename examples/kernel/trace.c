#include "kernel.h"
#include "motehound_trace.h"
#include "trace.h"

static am_addr_t TraceC__asker;

bool TraceC__take(const message_t *message, uint8_t length)
{
    if (nx_get8(&message->header.type) != AM_TRACE || !mh_trace_request(message->data, length))
        return false;
    TraceC__asker = nx_get16(&message->header.src);
    post(TraceC__reply);
    return true;
}

// A reply that cannot be sent is lost; whoever asked asks again for what is missing.
void TraceC__reply__runTask(void)
{
    message_t *message = TraceC__lend();

    if (message == NULL || !mh_trace_replying())
        return;

    uint8_t length = mh_trace_reply(message->data, TOSH_DATA_LENGTH);

    if (length == 0 || TraceC__send(TraceC__asker, message, length) != SUCCESS)
        post(TraceC__reply);
}
