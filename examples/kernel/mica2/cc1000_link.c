// From bits to frames and back. The radio clocks the SPI, a slave, one bit after
// the other, without an end: bits when there is a signal, noise when there is
// none. Every eight bits there is an interrupt. A frame is
//
//   55 ... 55  90 4E  length  bytes  FCS
//
// most significant bits first, where the start delimiter 90 4E is that of IEEE
// 802.15.4's own FSK radios (SUN FSK), and the rest, from the length on, is what a
// CC2420 has on the air. The bytes of a frame do not begin where the SPI's do: the
// start delimiter is looked for at every bit.
#include "board.h"
#include "cc1000.h"
#include "crc.h"
#include "micro.h"

enum {
    PREAMBLE = 0x55,
    PREAMBLE_SHIFTED = 0xAA,    // as it looks from an odd number of bits away
    DELIMITER = 0x904E,

    // Of the SPI's bytes: so many in a row are a preamble, and in noise once in a
    // quarter of an hour; and after it so many may hold the delimiter, if it comes.
    MIN_PREAMBLE = 3,
    MAX_DELIMITER = 3,

    // 19,200 a second.
    COUNTS_PER_BIT = MICRO_HERTZ / 19200,

    // What a bit takes from one mote's SPI to the other's, through both modems:
    // shaping, filtering, finding the bits. Measured.
    MODEM_COUNTS = 4 * COUNTS_PER_BIT,

    // Interrupts after the last byte of a frame is in our hands: it goes into the
    // SPI, it is out; and one byte more, for what is still in the modem.
    FLUSH = 3,
};

// In one byte, since handlers and tasks share it.
static volatile enum {
    LINK_OFF,
    LINK_LISTEN,       // for a preamble
    LINK_PREAMBLE,     // for the delimiter
    LINK_LENGTH,
    LINK_BODY,
    LINK_HELD,         // until the task has seen the frame

    LINK_TX_PREAMBLE,
    LINK_TX_DELIMITER,
    LINK_TX_LENGTH,
    LINK_TX_BODY,
    LINK_TX_FCS,
    LINK_TX_FLUSH,
    LINK_TX_DONE,
} __attribute__((packed)) CC1000LinkP__state;

static struct {
    uint16_t window;       // the latest bits
    uint8_t scale;         // 1 << (7 - n), where the last n of them are of the byte to come
    uint8_t run;           // of bytes of preamble, or after it
    uint8_t at;
    uint8_t length;
    uint16_t fcs;
    uint16_t startedAt;
    uint8_t frame[IEEE154_MAX_LENGTH];
} CC1000LinkP__rx;

static struct {
    uint8_t next;          // for the SPI, at the next interrupt
    uint8_t left;          // of the preamble, or of the flush
    uint8_t at;
    uint8_t length;
    uint16_t fcs;
    uint16_t startedAt;
    uint8_t frame[IEEE154_MAX_LENGTH - IEEE154_FCS_SIZE];
} CC1000LinkP__tx;

// What became of the frames, for whoever reads the memory of a mote.
static struct {
    uint16_t good;
    uint16_t badFcs;
    uint16_t badLength;
    uint16_t noDelimiter;    // a preamble led to nothing
} CC1000LinkP__counts;

static void CC1000LinkP__begin(uint8_t state)
{
    SPCR = 0;    // what bits it has, it forgets
    CC1000LinkP__rx.run = 0;
    CC1000LinkP__state = state;
    SPCR = (1 << SPE) | (1 << SPIE);
}

void CC1000LinkP__listen(void)
{
    DDRB &= ~CC1000_DATA_OUT;
    CC1000LinkP__begin(LINK_LISTEN);
}

uint8_t *CC1000LinkP__sendBuffer(void)
{
    return CC1000LinkP__tx.frame;
}

void CC1000LinkP__send(uint8_t preamble, uint8_t length)
{
    SPCR = 0;
    CC1000LinkP__tx.next = PREAMBLE;
    CC1000LinkP__tx.left = preamble;
    CC1000LinkP__tx.length = length;
    DDRB |= CC1000_DATA_OUT;
    CC1000LinkP__begin(LINK_TX_PREAMBLE);
    SPDR = PREAMBLE;
}

bool CC1000LinkP__isBusy(void)
{
    return CC1000LinkP__state != LINK_LISTEN;
}

uint16_t CC1000LinkP__sentAt(void)
{
    return CC1000LinkP__tx.startedAt;
}

uint16_t CC1000LinkP__receivedAt(void)
{
    return CC1000LinkP__rx.startedAt;
}

const uint8_t *CC1000LinkP__frame(uint8_t *length)
{
    *length = CC1000LinkP__rx.length;
    return CC1000LinkP__rx.frame;
}

static void CC1000LinkP__listenAgain(void)
{
    CC1000LinkP__rx.run = 0;
    CC1000LinkP__state = LINK_LISTEN;
}

static inline bool CC1000LinkP__isPreamble(uint8_t byte)
{
    return byte == PREAMBLE || byte == PREAMBLE_SHIFTED;
}

static void CC1000LinkP__delimiterFound(uint8_t bitsAfter)
{
    CC1000LinkP__rx.startedAt = TCNT1 - bitsAfter * COUNTS_PER_BIT;
    CC1000LinkP__rx.scale = 0x80 >> bitsAfter;
    CC1000LinkP__state = LINK_LENGTH;
    post(CC1000LinkP__synchronised);
}

// The rest of the byte after the delimiter's last bit belongs to the frame. Not
// inlined: the registers that it saves need not be saved for every byte.
__attribute__((noinline))
static void CC1000LinkP__seekDelimiter(uint8_t byte)
{
    uint16_t window = CC1000LinkP__rx.window;

    for (uint8_t left = 8; left-- > 0; byte <<= 1) {
        window <<= 1;
        if (byte & 0x80)
            window |= 1;
        if (window == DELIMITER)
            CC1000LinkP__delimiterFound(left);
    }
    CC1000LinkP__rx.window = window;
    if (CC1000LinkP__state == LINK_PREAMBLE && ++CC1000LinkP__rx.run == MAX_DELIMITER) {
        CC1000LinkP__counts.noDelimiter++;
        CC1000LinkP__listenAgain();
    }
}

static void CC1000LinkP__bodyReceived(uint8_t byte)
{
    CC1000LinkP__rx.fcs = fcsByte(CC1000LinkP__rx.fcs, byte);
    CC1000LinkP__rx.frame[CC1000LinkP__rx.at++] = byte;
    if (CC1000LinkP__rx.at < CC1000LinkP__rx.length)
        return;
    // Over a frame and its FCS, the sum is 0.
    if (CC1000LinkP__rx.fcs != 0) {
        CC1000LinkP__counts.badFcs++;
        CC1000LinkP__listenAgain();
        return;
    }
    CC1000LinkP__counts.good++;
    CC1000LinkP__state = LINK_HELD;
    post(CC1000LinkP__received);
}

static void CC1000LinkP__lengthReceived(uint8_t length)
{
    if (length < IEEE154_ACK_LENGTH || length > IEEE154_MAX_LENGTH) {
        CC1000LinkP__counts.badLength++;
        CC1000LinkP__listenAgain();
        return;
    }
    CC1000LinkP__rx.length = length;
    CC1000LinkP__rx.at = 0;
    CC1000LinkP__rx.fcs = 0;
    CC1000LinkP__state = LINK_BODY;
}

static void CC1000LinkP__seekPreamble(uint8_t byte)
{
    if (!CC1000LinkP__isPreamble(byte)) {
        CC1000LinkP__rx.run = 0;
    } else if (++CC1000LinkP__rx.run == MIN_PREAMBLE) {
        CC1000LinkP__rx.run = 0;
        CC1000LinkP__rx.window = byte;
        CC1000LinkP__state = LINK_PREAMBLE;
    }
}

// Most interrupts find noise. Not inlined, this and the next cost those nothing.
__attribute__((noinline))
static void CC1000LinkP__receiveByte(uint8_t state, uint8_t byte)
{
    if (state == LINK_PREAMBLE && !CC1000LinkP__isPreamble(byte)) {
        CC1000LinkP__seekDelimiter(byte);
        return;
    }
    CC1000LinkP__rx.window = CC1000LinkP__rx.window << 8 | byte;
    // More of the preamble: the delimiter does not end in it, or a frame would have a
    // length that none has.
    if (state == LINK_PREAMBLE)
        return;
    // Shifts by a variable are loops on this CPU, and multiplications are not.
    byte = (uint16_t)(CC1000LinkP__rx.window * CC1000LinkP__rx.scale) >> 7;
    if (state == LINK_BODY)
        CC1000LinkP__bodyReceived(byte);
    else if (state == LINK_LENGTH)
        CC1000LinkP__lengthReceived(byte);
}

// The byte for the next interrupt.
__attribute__((noinline))
static uint8_t CC1000LinkP__nextByte(void)
{
    uint8_t byte = PREAMBLE;

    switch (CC1000LinkP__state) {
    case LINK_TX_PREAMBLE:
        if (--CC1000LinkP__tx.left > 0)
            break;
        byte = DELIMITER >> 8;
        CC1000LinkP__state = LINK_TX_DELIMITER;
        break;
    case LINK_TX_DELIMITER:
        byte = DELIMITER & 0xFF;
        CC1000LinkP__state = LINK_TX_LENGTH;
        break;
    case LINK_TX_LENGTH:
        byte = CC1000LinkP__tx.length + IEEE154_FCS_SIZE;
        CC1000LinkP__tx.at = 0;
        CC1000LinkP__tx.fcs = 0;
        CC1000LinkP__state = LINK_TX_BODY;
        break;
    case LINK_TX_BODY:
        // The delimiter has just left the SPI.
        if (CC1000LinkP__tx.at == 0)
            CC1000LinkP__tx.startedAt = TCNT1 + MODEM_COUNTS;
        byte = CC1000LinkP__tx.frame[CC1000LinkP__tx.at];
        CC1000LinkP__tx.fcs = fcsByte(CC1000LinkP__tx.fcs, byte);
        if (++CC1000LinkP__tx.at == CC1000LinkP__tx.length)
            CC1000LinkP__state = LINK_TX_FCS;
        break;
    case LINK_TX_FCS:
        byte = CC1000LinkP__tx.fcs;
        CC1000LinkP__tx.fcs >>= 8;
        if (++CC1000LinkP__tx.at == CC1000LinkP__tx.length + IEEE154_FCS_SIZE) {
            CC1000LinkP__tx.left = FLUSH;
            CC1000LinkP__state = LINK_TX_FLUSH;
        }
        break;
    case LINK_TX_FLUSH:
        if (--CC1000LinkP__tx.left == 0) {
            CC1000LinkP__state = LINK_TX_DONE;
            post(CC1000LinkP__sent);
        }
        break;
    default:
        break;
    }
    return byte;
}

// When sending, the next byte must be in place before the radio takes its first
// bit, less than one bit's 52 us after the interrupt. So it is made one interrupt
// ahead, and no handler or atomic section may last longer than that.
ISR(SPI_STC_vect)
{
    uint8_t byte = SPDR;
    uint8_t state = CC1000LinkP__state;

    if (state >= LINK_TX_PREAMBLE) {
        SPDR = CC1000LinkP__tx.next;
        CC1000LinkP__tx.next = CC1000LinkP__nextByte();
    } else if (state == LINK_LISTEN) {
        CC1000LinkP__seekPreamble(byte);
    } else {
        CC1000LinkP__receiveByte(state, byte);
    }
}
