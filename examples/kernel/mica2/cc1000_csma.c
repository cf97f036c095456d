// Messages over the CC1000's frames. A message waits a random time; then the
// signal's strength says whether the channel is free. What is for this mote alone
// is acknowledged at once, as the CC2420 does it by itself.
#include <string.h>

#include "adc.h"
#include "board.h"
#include "cc1000.h"
#include "micro.h"
#include "radio.h"
#include "random.h"

enum {
    // A byte.
    UNIT = MICRO_FROM_US(417),
    INITIAL_UNITS = 30,
    CONGESTION_UNITS = 45,
    MAX_CONGESTION = 16,

    // Bytes: the receiver needs four, and the one that waits for an acknowledgement
    // listens when one of these has passed.
    PREAMBLE = 8,
    ACK_PREAMBLE = 6,

    // The longest frame is 23 ms on the air.
    SEND_TIMEOUT = MICRO_FROM_US(40000),

    // From when we listen: the other turns round while we flush, 0.4 ms and 15 bytes
    // of acknowledgement are 6.7 ms. The rest is for tasks there and here.
    ACK_TIMEOUT = MICRO_FROM_US(10000),

    // P = -50.0 dBm/V * V - 45.5 dBm at 868 MHz (SWRS048, RSSI Output), and 1024 is the
    // supply's 3.0 V: 150/1024 dB a step. A channel is clear below -95 dBm; the noise is
    // near -105, and what is readable above -100.
    RSSI_CLEAR = (950 - 455) * 1024L / 1500,
};

static enum {
    CSMA_IDLE,
    CSMA_BACKOFF,     // waiting for the alarm
    CSMA_SENSE,       // for the ADC
    CSMA_ON_AIR,
    CSMA_AWAIT_ACK,
} CC1000CsmaP__state;

static message_t *CC1000CsmaP__message;
static bool CC1000CsmaP__wantsAck;
static uint8_t CC1000CsmaP__dsn;
static uint8_t CC1000CsmaP__congestion;
static bool CC1000CsmaP__isAcking;    // the frame on its way is an acknowledgement
static uint32_t CC1000CsmaP__sentAt;

static message_t CC1000CsmaP__firstBuffer;
static message_t *CC1000CsmaP__buffer = &CC1000CsmaP__firstBuffer;
static int8_t CC1000CsmaP__rssi;

// What became of the messages, for whoever reads the memory of a mote.
static struct {
    uint16_t sent;
    uint16_t acked;
    uint16_t notAcked;
    uint16_t congested;    // times the channel was busy
    uint8_t gaveUp;        // messages for which it always was
    uint8_t stuck;         // messages that the chip did not send
    uint16_t received;
    uint16_t acks;
    uint16_t notForUs;
    uint8_t refused;       // intact, but not an active message
} CC1000CsmaP__counts;

static int8_t CC1000CsmaP__dBm(uint16_t reading)
{
    return -46 - (int16_t)(((uint32_t)reading * 75) >> 9);
}

static void CC1000CsmaP__backOff(uint8_t units)
{
    CC1000CsmaP__state = CSMA_BACKOFF;
    MicroC__setAlarm(UNIT + RandomC__below(units * UNIT));
}

error_t RadioC__send(am_addr_t dest, uint8_t type, message_t *message, uint8_t length)
{
    if (!CC1000ControlP__isOn())
        return EOFF;
    if (length > TOSH_DATA_LENGTH)
        return ESIZE;
    if (CC1000CsmaP__state != CSMA_IDLE)
        return EBUSY;
    CC1000CsmaP__message = message;
    CC1000CsmaP__wantsAck = dest != TOS_BCAST_ADDR;
    CC1000CsmaP__congestion = 0;
    CC1000CsmaP__dsn++;
    Ieee154__address(message, dest, type, length);
    CC1000CsmaP__backOff(INITIAL_UNITS);
    return SUCCESS;
}

static void CC1000CsmaP__done(error_t error, bool wasAcked)
{
    CC1000CsmaP__state = CSMA_IDLE;
    RadioC__sendDone(CC1000CsmaP__message, error, wasAcked);
}

static void CC1000CsmaP__channelIsBusy(void)
{
    CC1000CsmaP__counts.congested++;
    if (++CC1000CsmaP__congestion < MAX_CONGESTION) {
        CC1000CsmaP__backOff(CONGESTION_UNITS);
        return;
    }
    CC1000CsmaP__counts.gaveUp++;
    CC1000CsmaP__done(EBUSY, false);
}

// The radio's clock stopped in the middle of a frame: back to receiving.
static void CC1000CsmaP__abort(void)
{
    CC1000ControlP__receive();
    CC1000LinkP__listen();
    CC1000CsmaP__counts.stuck++;
    CC1000CsmaP__done(FAIL, false);
}

void MicroC__fired(void)
{
    switch (CC1000CsmaP__state) {
    case CSMA_BACKOFF:
        CC1000CsmaP__state = CSMA_SENSE;
        AdcP__read(CC1000CsmaP__Channel);
        break;
    case CSMA_ON_AIR:
        CC1000CsmaP__abort();
        break;
    case CSMA_AWAIT_ACK:
        CC1000CsmaP__counts.notAcked++;
        CC1000CsmaP__done(SUCCESS, false);
        break;
    case CSMA_SENSE:
    case CSMA_IDLE:
        break;
    }
}

// The stronger the signal, the lower the reading. A frame may have begun since it
// was taken.
void CC1000CsmaP__Channel__readDone(uint16_t reading)
{
    if (CC1000LinkP__isBusy() || reading < RSSI_CLEAR) {
        CC1000CsmaP__channelIsBusy();
        return;
    }

    uint8_t length = nx_get8(&CC1000CsmaP__message->header.length);
    uint8_t *frame = CC1000LinkP__sendBuffer();

    Ieee154__toFrame((ieee154_header_t *)frame, CC1000CsmaP__message, CC1000CsmaP__dsn);
    memcpy(frame + sizeof(ieee154_header_t), CC1000CsmaP__message->data, length);
    CC1000CsmaP__state = CSMA_ON_AIR;
    CC1000ControlP__transmit();
    CC1000LinkP__send(PREAMBLE, sizeof(ieee154_header_t) + length);
    MicroC__setAlarm(SEND_TIMEOUT);
}

static void CC1000CsmaP__acknowledge(uint8_t dsn)
{
    ieee154_ack_t *ack = (ieee154_ack_t *)CC1000LinkP__sendBuffer();

    ack->fcf = IEEE154_FCF_ACK;
    ack->dsn = dsn;
    CC1000CsmaP__isAcking = true;
    CC1000ControlP__transmit();
    CC1000LinkP__send(ACK_PREAMBLE, sizeof *ack);
}

void CC1000LinkP__sent__runTask(void)
{
    CC1000ControlP__receive();
    CC1000LinkP__listen();
    if (CC1000CsmaP__isAcking) {
        CC1000CsmaP__isAcking = false;
        return;
    }
    if (CC1000CsmaP__state != CSMA_ON_AIR)
        return;    // too late: it was given up
    MicroC__stopAlarm();
    CC1000CsmaP__sentAt = MicroC__extend(CC1000LinkP__sentAt());
    CC1000CsmaP__counts.sent++;
    if (CC1000CsmaP__wantsAck) {
        CC1000CsmaP__state = CSMA_AWAIT_ACK;
        MicroC__setAlarm(ACK_TIMEOUT);
    } else {
        CC1000CsmaP__done(SUCCESS, false);
    }
}

static void CC1000CsmaP__acknowledged(uint8_t dsn)
{
    CC1000CsmaP__counts.acks++;
    if (CC1000CsmaP__state != CSMA_AWAIT_ACK || dsn != CC1000CsmaP__dsn)
        return;
    MicroC__stopAlarm();
    CC1000CsmaP__counts.acked++;
    CC1000CsmaP__done(SUCCESS, true);
}

void CC1000LinkP__synchronised__runTask(void)
{
    AdcP__read(CC1000CsmaP__Signal);
}

void CC1000CsmaP__Signal__readDone(uint16_t reading)
{
    CC1000CsmaP__rssi = CC1000CsmaP__dBm(reading);
}

// The link holds the frame until it listens, or sends, again; both are soon.
void CC1000LinkP__received__runTask(void)
{
    uint8_t length;
    const uint8_t *frame = CC1000LinkP__frame(&length);
    const ieee154_header_t *header = (const ieee154_header_t *)frame;

    if (length < IEEE154_MIN_LENGTH) {
        uint8_t dsn = header->dsn;
        bool isAck = length == IEEE154_ACK_LENGTH && header->fcf == IEEE154_FCF_ACK;

        CC1000LinkP__listen();
        if (isAck)
            CC1000CsmaP__acknowledged(dsn);
        else
            CC1000CsmaP__counts.refused++;
        return;
    }
    if (header->pan != TOS_AM_GROUP ||
        (header->dest != ActiveMessageAddressC__addr && header->dest != TOS_BCAST_ADDR)) {
        CC1000CsmaP__counts.notForUs++;
        CC1000LinkP__listen();
        return;
    }

    radio_info_t info = { .rssi = CC1000CsmaP__rssi, .hasTime = true, .time = MicroC__extend(CC1000LinkP__receivedAt()) };
    bool wantsAck = header->fcf & IEEE154_FCF_ACK_REQUEST;
    uint8_t dsn = header->dsn;

    length -= IEEE154_MIN_LENGTH;
    if (!Ieee154__fromFrame(CC1000CsmaP__buffer, header, length)) {
        CC1000CsmaP__counts.refused++;
        CC1000LinkP__listen();
        return;
    }
    memcpy(CC1000CsmaP__buffer->data, frame + sizeof *header, length);
    if (wantsAck)
        CC1000CsmaP__acknowledge(dsn);
    else
        CC1000LinkP__listen();
    CC1000CsmaP__counts.received++;
    CC1000CsmaP__buffer = RadioC__receive(CC1000CsmaP__buffer, length, &info);
}

uint32_t RadioC__sentAt(void)
{
    return CC1000CsmaP__sentAt;
}
