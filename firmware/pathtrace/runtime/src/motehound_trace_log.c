// The log: bytes into chunks, chunks into pages, pages round and round in the flash.
#include <string.h>

#include "motehound_trace_state.h"

// How many bytes can be put before one would have to wait for the flash.
uint8_t mh_room(void)
{
    uint8_t here = MH_PAYLOAD - mh_trace.fill;

    return mh_trace.full ? here : here + MH_PAYLOAD;
}

static MH_TRACE_APART uint16_t mh_crc(uint16_t crc, const uint8_t *bytes, uint8_t length)
{
    do {
        uint8_t byte = *bytes++ ^ (uint8_t)crc;

        byte ^= (uint8_t)(byte << 4);
        crc = ((uint16_t)byte << 8 | crc >> 8) ^ (uint8_t)(byte >> 4) ^ (uint16_t)byte << 3;
    } while (--length != 0);
    return crc;
}

// The chunk that has filled waits for the flash, if the one before it does so no more.
static MH_TRACE_APART void mh_hand_over(void)
{
    mh_trace_state *t = mh_near();
    if (t->fill == MH_PAYLOAD && !t->full) {
        uint8_t *chunk = t->chunks[t->filling];
        uint16_t crc = mh_crc(~t->crcInverse, chunk, MH_PAYLOAD);

        memcpy(chunk + MH_PAYLOAD, &crc, 2);
        t->full = 1;
        t->filling ^= 1;
        t->fill = 0;
        t->timeless = 1;
    }
}

static void mh_put_raw(uint8_t byte)
{
    mh_trace.chunks[mh_trace.filling][mh_trace.fill] = byte;
    mh_trace.fill++;
    mh_hand_over();
}

static void mh_put_raw16(uint16_t word)
{
    mh_put_raw((uint8_t)word);
    mh_put_raw(word >> 8);
}

void mh_put(uint8_t byte)
{
    mh_put_raw(byte);
    if (--mh_trace.left == 0)
        mh_put_raw16(mh_trace.procs);
}

void mh_put_number(uint16_t number)
{
    while (number >= 0x80) {
        mh_put((uint8_t)number | 0x80);
        number >>= 7;
    }
    mh_put((uint8_t)number);
}

// Once in each chunk, behind its first token.
void mh_put_time(void)
{
    if (!mh_trace.timeless)
        return;
    mh_trace.timeless = 0;
    mh_trace.header.time = MH_TRACE_CLOCK();

    const uint8_t *bytes = (const uint8_t *)&mh_trace.header.time;

    mh_put(MH_TIME);
    for (uint8_t i = 0; i < 3; i++)
        mh_put(*bytes++);
}

// Fills the chunk. There is always room for that.
void mh_pad(void)
{
    uint8_t filling = mh_trace.filling;

    while (mh_trace.fill != 0 && mh_trace.fill != MH_PAYLOAD && mh_trace.filling == filling)
        mh_put(MH_PAD);
}

void mh_open_page(uint32_t now)
{
    const uint8_t *header = (const uint8_t *)&mh_trace.header;

    mh_forget();
    mh_trace.procs = 0;
    mh_trace.header.magic = MH_MAGIC;
    mh_trace.header.version = MH_VERSION << 4 | MH_TRACE_CLOCK_LOG2;
    mh_trace.header.time = now;
    for (uint8_t i = 0; i < MH_HEADER; i++)
        mh_put_raw(header[i]);
    mh_trace.left = MH_PAYLOAD * MH_TRACE_CHUNKS - MH_HEADER - MH_PROC_SET;
    mh_trace.timeless = 0;
    mh_settle();
}

// The page that fills has less than a chunk left.
void mh_next_page(void)
{
    mh_pad();
    mh_trace.header.sequence++;
    mh_open_page(MH_TRACE_CLOCK());
}

static void mh_turn(void)
{
    mh_trace.chunk = 0;
    if (++mh_trace.page == MH_TRACE_PAGES)
        mh_trace.page = 0;
}

// The next bytes of the chunk that waits. It stays until the flash has it all: if a reset comes between, it is given again.
static uint8_t mh_give(void)
{
    mh_trace_state *t = mh_near();
    uint8_t given = t->given, length = MH_TRACE_CHUNK - given, *chunk = t->chunks[t->filling ^ 1];

    if (length > MH_TRACE_STEP)
        length = MH_TRACE_STEP;
    if (!mh_trace_store_append(t->page, (uint16_t)t->chunk * MH_TRACE_CHUNK + given,
                               chunk + given, length))
        return 0;
    given += length;
    if (given == MH_TRACE_CHUNK) {
        uint8_t next = t->chunk + 1;
        uint16_t crc;

        memcpy(&crc, chunk + MH_PAYLOAD, 2);
        crc = ~crc;
        if (next == MH_TRACE_CHUNKS) {
            t->committing = 1;
            crc = 0;
        }
        t->crcInverse = crc;
        given = 0;
        // In one go: until then a reset has the chunk given again.
        MH_TRACE_BARRIER();
        t->chunk = next;
        t->full = 0;
        MH_TRACE_BARRIER();
        mh_hand_over();
        t->settled = t->fill;
        if (t->urgent && !t->full) {
            t->committing = 1;
            t->urgent = 0;
        }
    }
    t->given = given;
    return 1;
}

// One step of what the flash is to have, if it can take it: a few bytes of a chunk, or a page that is to be programmed. 0: there
// is none, or it cannot.
uint8_t mh_store(void)
{
    mh_trace_state *t = mh_near();
    if (!t->committing)
        return t->full && mh_give();

    uint8_t step = mh_trace_store_commit(t->page);

    if (step == MH_TRACE_DONE) {
        t->committing = 0;
        if (t->chunk == MH_TRACE_CHUNKS)
            mh_turn();
    }
    return step;
}

// Waits until nothing waits for the flash. One that never is ready must not stop the mote.
void mh_save(void)
{
    for (uint16_t i = 0; i != 0xFFFF && (mh_trace.full || mh_trace.committing); i++)
        mh_store();
}

// Whether a page begins as it should, and is the one that is expected at this place if base is not 0. Then the log goes on
// behind it. Of the next few pages one will do: a damaged one must not hide all behind it.
static uint8_t mh_probe(uint16_t page, uint16_t end, const uint16_t *base)
{
    uint8_t *bytes = mh_trace.chunks[0];

    for (uint8_t tries = 4; tries != 0 && page != end; tries--, page++) {
        for (uint16_t i = 0xFFFF; i != 0 && !mh_trace_store_read(page, 0, bytes, MH_TRACE_CHUNK); i--)
            ;
        // Over its own CRC, a CRC of this kind is 0.
        if (mh_crc(0xFFFF, bytes, MH_TRACE_CHUNK) != 0 || bytes[0] != MH_MAGIC)
            continue;
        if (base != 0 && (uint16_t)((bytes[2] | (uint16_t)bytes[3] << 8) - *base) != page)
            return 0;
        mh_trace.page = page;
        memcpy(&mh_trace.header, bytes, MH_HEADER);
        return 1;
    }
    return 0;
}

// Finds the newest page by bisection, and has the log go on behind it: from the first page to the newest the sequence
// numbers go up by one each, and behind that there are older ones, or nothing.
void mh_recover(void)
{
    mh_trace_state *t = mh_near();
    uint16_t high = MH_TRACE_PAGES;

    if (!mh_probe(0, high, 0))
        return;

    uint16_t base = t->header.sequence - t->page;

    while (high - t->page > 1) {
        uint16_t middle = t->page + (high - t->page) / 2;

        if (!mh_probe(middle, high, &base))
            high = middle;
    }
    mh_turn();
    t->header.sequence++;
    t->header.boot++;
}

// The log goes on behind the page that was last written, after a reset that left memory alone.
void mh_leave_page(void)
{
    mh_trace_state *t = mh_near();
    t->fill = t->full = t->committing = 0;
    t->crcInverse = 0;
    t->header.sequence++;
    if (t->chunk != 0)
        mh_turn();
}

// A token is whole.
void mh_settle(void)
{
    mh_trace_state *t = mh_near();
    t->settled = t->fill;
    t->run = 0;
}

// After a reset in the midst of work: takes back what is no whole token, and goes on in a page of its own, since what is known and
// predicted may be half changed.
void mh_undo(void)
{
    mh_trace_state *t = mh_near();
    if (t->fill < t->settled) {
        t->filling ^= 1;
        t->full = 0;
    }
    t->fill = t->settled;
    mh_hand_over();
    t->left = 0xFF; // the page ends with its chunk; if that is the last, its set has all procedures
    mh_save();
    mh_sync();
    mh_save();
    mh_leave_page();
    mh_open_page(t->header.time);
}
