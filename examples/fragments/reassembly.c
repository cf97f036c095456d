#include "fragments.h"

#include "timer.h"

enum {
    SIZE_MASK = 0x07FF,
    TIMEOUT_MS = 1024,
};

static uint8_t ReassemblyP__datagram[MAX_DATAGRAM];
static uint16_t ReassemblyP__size;    // 0: there is none
static uint16_t ReassemblyP__tag;
static am_addr_t ReassemblyP__from;
static uint16_t ReassemblyP__have;    // bytes

// What is true, for whoever reads the memory of a mote.
uint16_t ReassemblyP__begun;
uint16_t ReassemblyP__gaveUp;
uint16_t ReassemblyP__refused;
uint16_t ReassemblyP__past;    // bytes written past the end of a datagram

void ReassemblyP__Timeout__fired(void)
{
    ReassemblyP__gaveUp++;
    ReassemblyP__size = 0;
}

static void ReassemblyP__put(uint16_t offset, const uint8_t *data, uint8_t length)
{
#ifdef FIXED
    if (offset + length > ReassemblyP__size) {
        ReassemblyP__refused++;
        return;
    }
#endif
    ReassemblyP__past += offset + length > MAX_DATAGRAM;
    for (uint8_t i = 0; i < length; i++)
        ReassemblyP__datagram[offset + i] = data[i];    // BUG: it may be behind the end
    ReassemblyP__have += length;
    if (ReassemblyP__have < ReassemblyP__size)
        return;
    TimerC__stop(ReassemblyP__Timeout);
    ReassemblyP__received(ReassemblyP__from, ReassemblyP__datagram, ReassemblyP__size);
    ReassemblyP__size = 0;
}

static void ReassemblyP__first(am_addr_t from, const first_t *first, uint8_t length)
{
    uint16_t size = nx_get16(&first->size) & SIZE_MASK;

    if (ReassemblyP__size != 0 || size > MAX_DATAGRAM || length > size) {
        ReassemblyP__refused++;
        return;
    }
    ReassemblyP__begun++;
    ReassemblyP__from = from;
    ReassemblyP__tag = nx_get16(&first->tag);
    ReassemblyP__size = size;
    ReassemblyP__have = 0;
    TimerC__startOneShot(ReassemblyP__Timeout, TIMEOUT_MS);
    ReassemblyP__put(0, first->data, length);
}

static void ReassemblyP__later(am_addr_t from, const later_t *later, uint8_t length)
{
    uint16_t size = nx_get16(&later->size) & SIZE_MASK;

    if (ReassemblyP__size == 0 || size != ReassemblyP__size || from != ReassemblyP__from ||
        nx_get16(&later->tag) != ReassemblyP__tag) {
        ReassemblyP__refused++;
        return;
    }
    ReassemblyP__put(nx_get8(&later->offset) * UNIT, later->data, length);
}

void ReassemblyP__receive(am_addr_t from, const uint8_t *fragment, uint8_t length)
{
    uint8_t dispatch = fragment[0] & DISPATCH_MASK;

    if (dispatch == DISPATCH_FIRST && length > sizeof(first_t))
        ReassemblyP__first(from, (const first_t *)fragment, length - sizeof(first_t));
    else if (dispatch == DISPATCH_LATER && length > sizeof(later_t))
        ReassemblyP__later(from, (const later_t *)fragment, length - sizeof(later_t));
    else
        ReassemblyP__refused++;
}
