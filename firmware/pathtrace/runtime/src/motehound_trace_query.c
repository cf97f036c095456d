// The query service: what of the log is wanted, and the log in pieces that fit into messages. It does not care what carries
// them. A program that does not call it does not have it, when the runtime is linked as a library.
//
// A request is a mh_request, lowest bytes first. Replies:
//
//   52 01  page:2 offset:2 bytes
//                             a piece of a page
//   52 02  page:2             all was sent; the newest page now
//
// Page numbers are places in the flash. A page that has no header is left out.
#include <string.h>

#include "motehound_trace_state.h"

enum {
    MH_REQUEST = 0x51,
    MH_REPLY = 0x52,

    MH_IDLE = 0,          // nothing is asked, or all was sent
    MH_ASK_NEWEST = 1,    // so many pages, or all; the oldest of them first
    MH_ASK_SINCE = 2,     // the pages since the time of a boot: from the one in which that was
    MH_ASK_PAGES = 3,     // from this page on so many, round the end of the flash; 0 for no more
    MH_ASKS,

    MH_SAY_PIECE = 1,
    MH_SAY_END = 2,

    MH_PAGE = MH_TRACE_CHUNK * MH_TRACE_CHUNKS,
    MH_EVERY_PROC = 0xFFFF,
};

typedef struct {
    uint8_t magic;      // MH_REQUEST
    uint8_t what;       // an MH_ASK_, or MH_IDLE
    uint16_t proc;      // only pages in which it may be; or MH_EVERY_PROC
    uint16_t page;
    uint16_t pages;
    uint32_t time;
    uint16_t boot;
} mh_request;

enum { MH_REQUEST_SIZE = 14 };

// What is still to be sent. offset is that in its first page, which was looked at and is wanted if this is not MH_CLOSED.
typedef struct {
    mh_request asked;
    uint16_t offset;
} mh_asked;

static mh_asked mh_query;
#define MH_CLOSED 0xFFFF

static uint8_t *mh_set16(uint8_t *out, uint16_t word)
{
    *out++ = (uint8_t)word;
    *out++ = word >> 8;
    return out;
}

static uint16_t mh_back(uint16_t page, uint16_t back)
{
    return page >= back ? page - back : page + MH_TRACE_PAGES - back;
}

// The newest page that has something in the flash.
static uint16_t mh_newest(void)
{
    return mh_back(mh_trace.page, mh_trace.chunk == 0);
}

unsigned char mh_trace_request(const unsigned char *request, unsigned char length)
{
    if (length < MH_REQUEST_SIZE || request[0] != MH_REQUEST || (uint8_t)(request[1] - 1) >= MH_ASKS - 1)
        return 0;
    mh_close();
    mh_save();
    mh_trace.busy = 0;

    mh_asked *q = &mh_query;

    MH_NEAR(q);
    memcpy(&q->asked, request, MH_REQUEST_SIZE);
    q->offset = MH_CLOSED;
    if (q->asked.pages > MH_TRACE_PAGES)
        q->asked.pages = MH_TRACE_PAGES;
    if (q->asked.what == MH_ASK_SINCE)
        q->asked.pages = 1;
    if (q->asked.what != MH_ASK_PAGES)
        q->asked.page = mh_back(mh_newest(), q->asked.pages - 1);
    return 1;
}

unsigned char mh_trace_replying(void)
{
    return mh_query.asked.what != MH_IDLE;
}

// One page for each call: goes back until one began before the time that is wanted.
static void mh_seek(mh_asked *q, const uint8_t *bytes)
{
    mh_header header;
    int16_t later;

    memcpy(&header, bytes, MH_HEADER);
    later = header.boot - q->asked.boot;
    if (header.magic != MH_MAGIC || q->asked.pages == MH_TRACE_PAGES || later < 0 ||
        (later == 0 && header.time <= q->asked.time)) {
        q->asked.what = MH_ASK_PAGES;
    } else {
        q->asked.page = mh_back(q->asked.page, 1);
        q->asked.pages++;
    }
}

static MH_TRACE_APART void mh_leave(mh_asked *q)
{
    q->offset = MH_CLOSED;
    q->asked.pages--;
    if (++q->asked.page == MH_TRACE_PAGES)
        q->asked.page = 0;
}

// Opens the page if it is wanted, or goes on to the next, or the one before.
static void mh_look(mh_asked *q, uint8_t *bytes)
{
    if (!mh_trace_store_read(q->asked.page, MH_PAGE - 2 - MH_PROC_SET, bytes, MH_PROC_SET))
        return;

    uint16_t procs = bytes[0] | (uint16_t)bytes[1] << 8;

    if (!mh_trace_store_read(q->asked.page, 0, bytes, MH_HEADER))
        return;
    if (q->asked.what == MH_ASK_SINCE)
        mh_seek(q, bytes);
    else if (bytes[0] == MH_MAGIC && (q->asked.proc == MH_EVERY_PROC || (procs >> (q->asked.proc & 15) & 1)))
        q->offset = 0;
    else
        mh_leave(q);
}

static uint8_t *mh_say_piece(mh_asked *q, uint8_t *p, uint8_t room)
{
    uint16_t left = MH_PAGE - q->offset;

    if (left < room)
        room = left;
    p = mh_set16(p, q->asked.page);
    p = mh_set16(p, q->offset);
    if (!mh_trace_store_read(q->asked.page, q->offset, p, room))
        return 0;
    q->offset += room;
    if (q->offset == MH_PAGE)
        mh_leave(q);
    return p + room;
}

unsigned char mh_trace_reply(unsigned char *out, unsigned char room)
{
    mh_asked *q = &mh_query;
    uint8_t *p = out + 2;

    MH_NEAR(q);
    out[0] = MH_REPLY;
    if (q->asked.what == MH_IDLE)
        return 0;
    if (q->asked.pages == 0) {
        out[1] = MH_SAY_END;
        p = mh_set16(p, mh_newest());
        q->asked.what = MH_IDLE;
    } else if (q->offset == MH_CLOSED) {
        mh_look(q, p);
        return 0;
    } else {
        out[1] = MH_SAY_PIECE;
        p = mh_say_piece(q, p, room - 6);
        if (p == 0)
            return 0;
    }
    return p - out;
}
