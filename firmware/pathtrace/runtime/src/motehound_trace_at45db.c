// The log in the AT45DB041 of the Mica boards, through port pins. The chip's two buffers hold the page that fills and the one
// that is being programmed, so both belong to the tracer. MH_TRACE_FIRST_PAGE and MH_TRACE_PAGES say which pages do. A
// reset of the CPU leaves the buffers alone.
//
// A page is erased and programmed at each commit: the datasheet (3443) does not promise that a page that was programmed can
// be programmed further.
#include "motehound_trace_port.h"

#ifndef MH_TRACE_FIRST_PAGE
#define MH_TRACE_FIRST_PAGE 0
#endif

#define MH_SELECT (1 << PA3)
#define MH_CLOCK (1 << PD5)
#define MH_TO_FLASH (1 << PD3)
#define MH_FROM_FLASH (1 << PD2)

enum {
    MH_READ_PAGE = 0xD2,
    MH_WRITE_BUFFER = 0x84,      // the first one; the second has the opcode 3 higher
    MH_PROGRAM_BUFFER = 0x83,    // with built-in erase; likewise
    MH_SECOND = 3,
    MH_STATUS = 0xD7,
    MH_IS_READY = 0x80,

    MH_PAGE = MH_TRACE_CHUNK * MH_TRACE_CHUNKS,
};

void mh_trace_store_start(void)
{
    PORTA |= MH_SELECT;
    DDRA |= MH_SELECT;
    PORTD &= ~MH_CLOCK;
    DDRD |= MH_CLOCK | MH_TO_FLASH;
    DDRD &= ~MH_FROM_FLASH;
}

// SPI mode 0, highest bit first.
static uint8_t mh_exchange(uint8_t byte)
{
    uint8_t bits = 8;

    do {
        if (byte & 0x80)
            PORTD |= MH_TO_FLASH;
        else
            PORTD &= ~MH_TO_FLASH;
        byte <<= 1;
        if (PIND & MH_FROM_FLASH)
            byte |= 1;
        PORTD |= MH_CLOCK;
        PORTD &= ~MH_CLOCK;
    } while (--bits != 0);
    return byte;
}

// Four reserved bits, 11 of the page, 9 of the byte in it.
static void mh_command(uint8_t opcode, uint16_t page, uint16_t offset)
{
    page += MH_TRACE_FIRST_PAGE;
    PORTA &= ~MH_SELECT;
    mh_exchange(opcode);
    mh_exchange(page >> 7);
    mh_exchange((uint8_t)(page << 1) | offset >> 8);
    mh_exchange((uint8_t)offset);
}

static void mh_end(void)
{
    PORTA |= MH_SELECT;
}

static uint8_t mh_is_ready(void)
{
    PORTA &= ~MH_SELECT;
    mh_exchange(MH_STATUS);

    uint8_t status = mh_exchange(0);

    mh_end();
    return status & MH_IS_READY;
}

static uint8_t mh_programmed;            // by its parity: the page that was last committed
static uint16_t mh_used MH_TRACE_KEPT;    // bytes of the page that fills; as the buffers, a reset leaves it alone

static uint8_t mh_buffer(uint8_t opcode, uint16_t page)
{
    return page & 1 ? opcode + MH_SECOND : opcode;
}

// Behind what the page has; 0xFF if there are no bytes.
static MH_TRACE_APART void mh_write(uint16_t page, const uint8_t *bytes, uint8_t length)
{
    mh_command(mh_buffer(MH_WRITE_BUFFER, page), 0, mh_used);
    mh_used += length;
    do
        mh_exchange(bytes != 0 ? *bytes++ : 0xFF);
    while (--length != 0);
    mh_end();
}

// A buffer can be written while the other one is programmed.
uint8_t mh_trace_store_append(uint16_t page, uint16_t offset, const uint8_t *bytes, uint8_t length)
{
    if (((page ^ mh_programmed) & 1) == 0 && !mh_is_ready())
        return 0;
    mh_used = offset;
    mh_write(page, bytes, length);
    return MH_TRACE_DONE;
}

// Behind the bytes of this page the buffer has those of an older one, which are overwritten, some at a time. Most pages are full.
uint8_t mh_trace_store_commit(uint16_t page)
{
    if (!mh_is_ready())
        return 0;
    if (mh_used != MH_PAGE) {
        mh_write(page, 0, mh_used > MH_PAGE - MH_TRACE_STEP ? MH_PAGE - mh_used : MH_TRACE_STEP);
        return MH_TRACE_MORE;
    }
    mh_programmed = (uint8_t)page;
    mh_command(mh_buffer(MH_PROGRAM_BUFFER, page), page, 0);
    mh_end();
    return MH_TRACE_DONE;
}

uint8_t mh_trace_store_read(uint16_t page, uint16_t offset, uint8_t *bytes, uint8_t length)
{
    if (!mh_is_ready())
        return 0;
    mh_command(MH_READ_PAGE, page, offset);
    for (uint8_t i = 0; i < 4; i++)
        mh_exchange(0);
    for (uint8_t i = 0; i < length; i++)
        bytes[i] = mh_exchange(0);
    mh_end();
    return MH_TRACE_DONE;
}
