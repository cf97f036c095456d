// Sending with the CC2420. A message is written to the TXFIFO at once, and sent
// after a random wait if the channel is then clear (STXONCCA). The SFD pin is
// high from the frame's start delimiter to its end: the fall says that it is
// sent. If it asked for an acknowledgement, that comes as a frame, soon or never.
#include "board.h"
#include "cc2420.h"
#include "ieee154.h"
#include "micro.h"
#include "radio.h"
#include "random.h"

enum {
    // In the standard's units of 20 symbols.
    UNIT = MICRO_FROM_US(320),
    INITIAL_UNITS = 30,
    CONGESTION_UNITS = 7,

    // The longest frame is 4.3 ms on the air, and 16 waits are 22 ms on average.
    MAX_CONGESTION = 16,

    // From the command: 12 symbols to turn round, and the longest frame.
    SEND_TIMEOUT = MICRO_FROM_US(10000),

    // From the frame's end: 12 symbols, and 11 bytes, are 0.55 ms. The rest is for
    // tasks that run before ours, here.
    ACK_TIMEOUT = MICRO_FROM_US(2500),
};

// In one byte, since handlers and tasks share it.
static volatile enum {
    TX_IDLE,
    TX_BACKOFF,      // waiting for the alarm
    TX_STROBED,      // the chip turns round
    TX_ON_AIR,       // SFD is high
    TX_SENT,         // the task is posted
    TX_AWAIT_ACK,
    TX_STUCK,        // being given up
} __attribute__((packed)) CC2420TransmitP__state;

static message_t *CC2420TransmitP__message;
static bool CC2420TransmitP__wantsAck;
static uint8_t CC2420TransmitP__dsn;
static uint8_t CC2420TransmitP__congestion;
static volatile uint16_t CC2420TransmitP__edgeAt;
static volatile uint16_t CC2420TransmitP__sentCount;
static uint32_t CC2420TransmitP__sentAt;

// What became of the messages, for whoever reads the memory of a mote.
static struct {
    uint16_t sent;
    uint16_t acked;
    uint16_t notAcked;
    uint16_t congested;    // times the channel was busy
    uint8_t gaveUp;        // messages for which it always was
    uint8_t stuck;         // messages that the chip took and did not send
} CC2420TransmitP__counts;

static void CC2420TransmitP__awaitEdge(bool isRise)
{
    if (isRise)
        TCCR1B |= 1 << ICES1;
    else
        TCCR1B &= ~(1 << ICES1);
    // Changing the edge may look like one (ATmega128 datasheet, Using the Input
    // Capture Unit).
    TIFR = 1 << ICF1;
}

void CC2420TransmitP__start(void)
{
    atomic {
        CC2420TransmitP__awaitEdge(true);
        TIMSK |= 1 << TICIE1;
    }
}

uint16_t CC2420TransmitP__delimiterAt(void)
{
    return CC2420TransmitP__edgeAt;
}

// Frames received, and the acknowledgements that the chip sends for them, make the
// same edges: of ours there must be a rise, after the command, and then a fall.
static void CC2420TransmitP__rose(uint16_t at)
{
    CC2420TransmitP__edgeAt = at;
    if (CC2420TransmitP__state == TX_STROBED) {
        CC2420TransmitP__sentCount = at;
        CC2420TransmitP__state = TX_ON_AIR;
    }
}

// A frame that was received whole while an older one was in the RXFIFO makes no
// edge on FIFOP. If the receiver then found SFD high, because the chip sent
// an acknowledgement, it waits for this.
static void CC2420TransmitP__fell(void)
{
    if (CC2420TransmitP__state == TX_ON_AIR) {
        CC2420TransmitP__state = TX_SENT;
        post(CC2420TransmitP__sent);
    }
    if (PINB & CC2420_FIFO)
        post(CC2420ReceiveP__receive);
}

// Alternately for the two edges. If the pin has changed again and no capture tells,
// that was before we asked for the other edge: it is handled now, or both edges
// would be mixed up from here on.
ISR(TIMER1_CAPT_vect)
{
    uint16_t at = ICR1;

    if (TCCR1B & (1 << ICES1)) {
        CC2420TransmitP__rose(at);
        CC2420TransmitP__awaitEdge(false);
        if ((PIND & CC2420_SFD) || (TIFR & (1 << ICF1)))
            return;
        CC2420TransmitP__fell();
        CC2420TransmitP__awaitEdge(true);
    } else {
        CC2420TransmitP__fell();
        CC2420TransmitP__awaitEdge(true);
        if (!(PIND & CC2420_SFD) || (TIFR & (1 << ICF1)))
            return;
        CC2420TransmitP__rose(TCNT1);
        CC2420TransmitP__awaitEdge(false);
    }
}

static void CC2420TransmitP__backOff(uint8_t units)
{
    CC2420TransmitP__state = TX_BACKOFF;
    MicroC__setAlarm(UNIT + RandomC__below(units * UNIT));
}

error_t RadioC__send(am_addr_t dest, uint8_t type, message_t *message, uint8_t length)
{
    ieee154_header_t header;
    const uint8_t *bytes = (const uint8_t *)&header;

    if (!CC2420ControlP__isOn())
        return EOFF;
    if (length > TOSH_DATA_LENGTH)
        return ESIZE;
    if (CC2420TransmitP__state != TX_IDLE)
        return EBUSY;

    CC2420TransmitP__message = message;
    CC2420TransmitP__wantsAck = dest != TOS_BCAST_ADDR;
    CC2420TransmitP__congestion = 0;
    Ieee154__address(message, dest, type, length);
    Ieee154__toFrame(&header, message, ++CC2420TransmitP__dsn);

    CC2420SpiP__strobe(CC2420_SFLUSHTX);
    CC2420SpiP__beginFifo(CC2420_TXFIFO);
    CC2420SpiP__exchange(IEEE154_MIN_LENGTH + length);
    for (uint8_t i = 0; i < sizeof header; i++)
        CC2420SpiP__exchange(bytes[i]);
    for (uint8_t i = 0; i < length; i++)
        CC2420SpiP__exchange(message->data[i]);
    CC2420SpiP__end();

    CC2420TransmitP__backOff(INITIAL_UNITS);
    return SUCCESS;
}

static void CC2420TransmitP__done(error_t error, bool wasAcked)
{
    CC2420TransmitP__state = TX_IDLE;
    RadioC__sendDone(CC2420TransmitP__message, error, wasAcked);
}

// The chip may be sending an acknowledgement, and then its status says so before
// our command too. In one piece, so that the rise is not before the state that
// expects it.
static bool CC2420TransmitP__strobe(void)
{
    atomic {
        if (CC2420SpiP__strobe(CC2420_STXONCCA) & CC2420_STATUS_TX_ACTIVE)
            return false;
        if (!(CC2420SpiP__strobe(CC2420_SNOP) & CC2420_STATUS_TX_ACTIVE))
            return false;
        CC2420TransmitP__state = TX_STROBED;
    }
    return true;
}

static void CC2420TransmitP__try(void)
{
    if (CC2420TransmitP__strobe()) {
        MicroC__setAlarm(SEND_TIMEOUT);
        return;
    }
    CC2420TransmitP__counts.congested++;
    if (++CC2420TransmitP__congestion < MAX_CONGESTION) {
        CC2420TransmitP__backOff(CONGESTION_UNITS);
        return;
    }
    CC2420TransmitP__counts.gaveUp++;
    CC2420TransmitP__done(EBUSY, false);
}

// In one piece, so that no fall comes in between that posts the task for a message
// which is done by then.
static bool CC2420TransmitP__isStuck(void)
{
    atomic {
        if (CC2420TransmitP__state == TX_SENT)
            return false;
        CC2420TransmitP__state = TX_STUCK;
    }
    return true;
}

// The fall of SFD did not come: back to receiving, whatever it was.
static void CC2420TransmitP__abort(void)
{
    if (!CC2420TransmitP__isStuck())
        return;
    CC2420SpiP__strobe(CC2420_SRFOFF);
    CC2420SpiP__strobe(CC2420_SFLUSHTX);
    CC2420SpiP__strobe(CC2420_SRXON);
    CC2420TransmitP__counts.stuck++;
    CC2420TransmitP__done(FAIL, false);
}

void MicroC__fired(void)
{
    switch (CC2420TransmitP__state) {
    case TX_BACKOFF:
        CC2420TransmitP__try();
        break;
    case TX_STROBED:
    case TX_ON_AIR:
        CC2420TransmitP__abort();
        break;
    case TX_AWAIT_ACK:
        CC2420TransmitP__counts.notAcked++;
        CC2420TransmitP__done(SUCCESS, false);
        break;
    case TX_SENT:    // just in time: the task is on its way
    case TX_STUCK:
    case TX_IDLE:
        break;
    }
}

void CC2420TransmitP__sent__runTask(void)
{
    MicroC__stopAlarm();
    CC2420TransmitP__sentAt = MicroC__extend(CC2420TransmitP__sentCount);
    CC2420TransmitP__counts.sent++;
    if (CC2420TransmitP__wantsAck) {
        CC2420TransmitP__state = TX_AWAIT_ACK;
        MicroC__setAlarm(ACK_TIMEOUT);
    } else {
        CC2420TransmitP__done(SUCCESS, false);
    }
}

void CC2420TransmitP__acknowledged(uint8_t dsn)
{
    if (CC2420TransmitP__state != TX_AWAIT_ACK || dsn != CC2420TransmitP__dsn)
        return;
    MicroC__stopAlarm();
    CC2420TransmitP__counts.acked++;
    CC2420TransmitP__done(SUCCESS, true);
}

uint32_t RadioC__sentAt(void)
{
    return CC2420TransmitP__sentAt;
}
