// The tracer on the host, for tests: does what its input says, and writes its flash to the output.
//
//   e proc | p proc path | l proc path     an event; with capital letters with interrupts off
//   t ticks    the clock goes on        b n        the flash is busy for the next n looks at it
//   s          mh_trace_service         f reason   mh_trace_fault
//   w          a reset                  c          power fails
//   x page n   power fails in the middle of writing a page: n bytes of it are as they should be
//   q ...      a request, in hex
//
// and replies to requests go to the error output, in hex.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int interruptsAreOn = 1;
static unsigned clock_;
static int busy;

#define MH_TRACE_CLOCK() ((uint32_t)clock_)
#define MH_TRACE_CLOCK_LOG2 3
#define MH_TRACE_EARLY
typedef int mh_trace_flags;
#define MH_TRACE_LOCK(flags) ((flags) = interruptsAreOn, interruptsAreOn = 0)
#define MH_TRACE_UNLOCK(flags) (interruptsAreOn = (flags))
#define MH_TRACE_WERE_ON(flags) (flags)
#define MH_TRACE_OPEN() (interruptsAreOn = 1)

#include "motehound_trace.c"
#include "motehound_trace_sequence.c"
#include "motehound_trace_log.c"
#include "motehound_trace_extra.c"
#include "motehound_trace_round.c"
#include "motehound_trace_query.c"

enum { PAGE = MH_TRACE_CHUNK * MH_TRACE_CHUNKS };
static unsigned char flash[MH_TRACE_PAGES * PAGE];

void mh_trace_store_start(void) {}

static uint8_t isReady(void)
{
    if (busy == 0)
        return 1;
    busy--;
    return 0;
}

// As in the AT45DB: a buffer for the page that fills, which is lost with power.
static unsigned char buffer[PAGE];

uint8_t mh_trace_store_append(uint16_t page, uint16_t offset, const uint8_t *bytes, uint8_t length)
{
    if (!isReady())
        return 0;
    if (page >= MH_TRACE_PAGES || offset + length > PAGE)
        abort();
    if (offset == 0)
        memset(buffer, 0xFF, PAGE);
    memcpy(buffer + offset, bytes, length);
    return 1;
}

uint8_t mh_trace_store_commit(uint16_t page)
{
    if (!isReady())
        return 0;
    memcpy(flash + page * PAGE, buffer, PAGE);
    return 1;
}

uint8_t mh_trace_store_read(uint16_t page, uint16_t offset, uint8_t *bytes, uint8_t length)
{
    if (!isReady())
        return 0;
    if (page >= MH_TRACE_PAGES || offset + length > PAGE)
        abort();
    memcpy(bytes, flash + page * PAGE + offset, length);
    return 1;
}

static void query(void)
{
    unsigned char request[14], reply[28];
    unsigned byte, n = 0;

    while (n < sizeof request && scanf("%2x", &byte) == 1)
        request[n++] = byte;
    if (!mh_trace_request(request, n))
        abort();
    while (mh_trace_replying()) {
        n = mh_trace_reply(reply, sizeof reply);
        for (unsigned i = 0; i < n; i++)
            fprintf(stderr, "%02x", reply[i]);
        if (n != 0)
            fprintf(stderr, "\n");
    }
}

int main(void)
{
    char what;
    unsigned a, b;

    memset(flash, 0xFF, sizeof flash);
    mh_trace_start();
    while (scanf(" %c", &what) == 1) {
        interruptsAreOn = what >= 'a';
        a = b = 0;
        switch (what | 0x20) {
        case 'e':
            if (scanf("%u", &a) != 1)
                abort();
            mh_trace_enter(MH_TRACE_LABEL(MH_TRACE_KIND_ENTER, a));
            break;
        case 'p':
        case 'l':
            if (scanf("%u %u", &a, &b) != 2)
                abort();
            a = (what | 0x20) == 'p' ? MH_TRACE_LABEL(MH_TRACE_KIND_PATH, a) : MH_TRACE_LABEL(MH_TRACE_KIND_LEAVE, a);
            if (b < 256)
                mh_trace_path8(a, b);
            else
                mh_trace_path16(a, b);
            break;
        case 't':
            if (scanf("%u", &a) != 1)
                abort();
            clock_ += a;
            break;
        case 'b':
            if (scanf("%d", &busy) != 1)
                abort();
            break;
        case 's':
            mh_trace_service();
            break;
        case 'f':
            if (scanf("%u", &a) != 1)
                abort();
            mh_trace_fault(a);
            break;
        case 'c':
            memset(&mh_trace, 0x5A, sizeof mh_trace);
            memset(buffer, 0x5A, sizeof buffer);
            /* fall through */
        case 'w':
            clock_ = busy = 0;
            mh_trace_start();
            break;
        case 'x':
            if (scanf("%u %u", &a, &b) != 2)
                abort();
            memset(flash + a * PAGE + b, 0x5A, PAGE - b);
            memset(&mh_trace, 0x5A, sizeof mh_trace);
            memset(buffer, 0x5A, sizeof buffer);
            clock_ = busy = 0;
            mh_trace_start();
            break;
        case 'q':
            query();
            break;
        default:
            abort();
        }
    }
    fwrite(flash, 1, sizeof flash, stdout);
    return 0;
}
