// Receiving with the CC2420. It puts the frames for this mote, and
// acknowledgements, into its RXFIFO; FIFOP rises when one is complete, FIFO is
// high while there is a byte. Each frame is its length, its bytes, and in place of
// the FCS the signal's strength and what came of the check (SWRS041, section
// 14.2 and Figure 21).
#include "board.h"
#include "cc2420.h"
#include "ieee154.h"
#include "micro.h"
#include "radio.h"

enum {
    LENGTH_MASK = 0x7F,
    CRC_OK = 1 << 7,
    CORRELATION_MASK = 0x7F,

    // What the chip says of the strength, less what the receiver gains (SWRS041,
    // section 23).
    RSSI_OFFSET = -45,
};

static message_t CC2420ReceiveP__firstBuffer;
static message_t *CC2420ReceiveP__buffer = &CC2420ReceiveP__firstBuffer;

// Of the frame whose end made FIFOP rise, when it began.
static volatile uint16_t CC2420ReceiveP__startedAt;
static volatile bool CC2420ReceiveP__hasStarted;

static bool CC2420ReceiveP__isShort;    // the RXFIFO ended before the frame

// What became of the frames, for whoever reads the memory of a mote.
static struct {
    uint16_t good;
    uint16_t acks;
    uint8_t badCrc;
    uint8_t refused;     // intact, but not an active message, or too long
    uint8_t overflow;    // the tasks came too late: what was in the RXFIFO is lost
    uint8_t torn;
} CC2420ReceiveP__counts;

// FIFOP's edge is seen only while the CPU's clocks run; PlatformC__sleepMode knows.
void CC2420ReceiveP__start(void)
{
    atomic {
        EICRB |= (1 << ISC61) | (1 << ISC60);
        EIFR = 1 << INTF6;
        EIMSK |= 1 << INT6;
    }
}

ISR(INT6_vect)
{
    CC2420ReceiveP__startedAt = CC2420TransmitP__delimiterAt();
    CC2420ReceiveP__hasStarted = true;
    post(CC2420ReceiveP__receive);
}

// Twice, since the first may leave a byte (SWRS041, section 14.3).
static void CC2420ReceiveP__flush(void)
{
    CC2420SpiP__strobe(CC2420_SFLUSHRX);
    CC2420SpiP__strobe(CC2420_SFLUSHRX);
}

static uint8_t CC2420ReceiveP__next(void)
{
    if (!(PINB & CC2420_FIFO))
        CC2420ReceiveP__isShort = true;
    return CC2420SpiP__exchange(0);
}

static void CC2420ReceiveP__copy(void *to, uint8_t length)
{
    uint8_t *bytes = to;

    while (length-- > 0)
        *bytes++ = CC2420ReceiveP__next();
}

static void CC2420ReceiveP__skip(uint8_t length)
{
    while (length-- > 0)
        CC2420ReceiveP__next();
}

// Only the first frame after a rise of FIFOP is known to be the one that made it.
static void CC2420ReceiveP__stamp(radio_info_t *info)
{
    uint16_t startedAt;

    atomic {
        info->hasTime = CC2420ReceiveP__hasStarted;
        CC2420ReceiveP__hasStarted = false;
        startedAt = CC2420ReceiveP__startedAt;
    }
    info->time = MicroC__extend(startedAt);
}

static void CC2420ReceiveP__readFrame(void)
{
    ieee154_header_t header;
    radio_info_t info;
    uint8_t dataLength = 0;

    CC2420ReceiveP__isShort = false;
    CC2420ReceiveP__stamp(&info);
    CC2420SpiP__beginFifo(CC2420_RXFIFO);

    uint8_t length = CC2420ReceiveP__next() & LENGTH_MASK;
    bool isAck = length == IEEE154_ACK_LENGTH;
    bool isMessage = length >= IEEE154_MIN_LENGTH && length <= IEEE154_MAX_LENGTH;

    if (isMessage) {
        dataLength = length - IEEE154_MIN_LENGTH;
        CC2420ReceiveP__copy(&header, sizeof header);
        CC2420ReceiveP__copy(CC2420ReceiveP__buffer->data, dataLength);
    } else if (isAck) {
        CC2420ReceiveP__copy(&header, sizeof(ieee154_ack_t));
    } else if (length >= IEEE154_FCS_SIZE) {
        CC2420ReceiveP__skip(length - IEEE154_FCS_SIZE);
    }
    info.rssi = CC2420ReceiveP__next() + RSSI_OFFSET;

    uint8_t check = CC2420ReceiveP__next();

    CC2420SpiP__end();
    info.lqi = check & CORRELATION_MASK;

    if (CC2420ReceiveP__isShort || length < IEEE154_FCS_SIZE) {
        CC2420ReceiveP__counts.torn++;
        CC2420ReceiveP__flush();
    } else if (!(check & CRC_OK)) {
        CC2420ReceiveP__counts.badCrc++;
    } else if (isAck && header.fcf == IEEE154_FCF_ACK) {
        CC2420ReceiveP__counts.acks++;
        CC2420TransmitP__acknowledged(header.dsn);
    } else if (isMessage && Ieee154__fromFrame(CC2420ReceiveP__buffer, &header, dataLength)) {
        CC2420ReceiveP__counts.good++;
        CC2420ReceiveP__buffer = RadioC__receive(CC2420ReceiveP__buffer, dataLength, &info);
    } else {
        CC2420ReceiveP__counts.refused++;
    }
}

// One frame, and back for the next, so that other tasks get their turn. FIFOP falls
// with the first byte read, even if another whole frame is there: that it is whole
// is told by SFD being low.
void CC2420ReceiveP__receive__runTask(void)
{
    if (!(PINB & CC2420_FIFO)) {
        if (PINE & CC2420_FIFOP) {
            CC2420ReceiveP__counts.overflow++;
            CC2420ReceiveP__flush();
        }
        return;
    }
    if (!(PINE & CC2420_FIFOP) && (PIND & CC2420_SFD))
        return;
    CC2420ReceiveP__readFrame();
    if ((PINB & CC2420_FIFO) || (PINE & CC2420_FIFOP))
        post(CC2420ReceiveP__receive);
}
