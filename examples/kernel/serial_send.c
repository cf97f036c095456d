// Frames to the host. Messages and answers wait in two queues; a task encodes
// the frame at hand into the UART's ring, as far as there is room, and goes on
// when the ring has drained.
#include "crc.h"
#include "serial.h"
#include "serial_frame.h"
#include "uart.h"

enum {
    HEADER_SIZE = sizeof(am_header_t),
    NUM_MESSAGES = 4,
    NUM_ANSWERS = 4,

    // Every byte but a flag may need an escape.
    MAX_ENCODED = 2,
};

// Oldest first: at these sizes moving the rest up is less code than a ring.
static message_t *SerialSendP__messages[NUM_MESSAGES];
static uint8_t SerialSendP__numMessages;
static uint8_t SerialSendP__answers[NUM_ANSWERS];
static uint8_t SerialSendP__numAnswers;

// Where the frame at hand is. The body is what is between protocol and CRC.
static struct {
    enum { TX_IDLE, TX_PROTOCOL, TX_BODY, TX_CRC_LOW, TX_CRC_HIGH, TX_END } state;
    bool isAnswer;
    uint8_t at;        // in the body
    uint8_t length;    // of the body
    uint16_t crc;
} SerialSendP__tx;

static uint16_t SerialSendP__numSent;    // messages; for whoever reads the memory of a mote

void SerialC__start(void)
{
    UartP__start();
}

error_t SerialC__send(am_addr_t dest, uint8_t type, message_t *message, uint8_t length)
{
    if (length > TOSH_DATA_LENGTH)
        return ESIZE;
    if (SerialSendP__numMessages == NUM_MESSAGES)
        return EBUSY;
    nx_set16(&message->header.dest, dest);
    nx_set16(&message->header.src, ActiveMessageAddressC__addr);
    nx_set8(&message->header.length, length);
    nx_set8(&message->header.group, TOS_AM_GROUP);
    nx_set8(&message->header.type, type);
    SerialSendP__messages[SerialSendP__numMessages++] = message;
    post(SerialSendP__encode);
    return SUCCESS;
}

error_t SerialSendP__acknowledge(uint8_t sequence)
{
    if (SerialSendP__numAnswers == NUM_ANSWERS)
        return EBUSY;
    SerialSendP__answers[SerialSendP__numAnswers++] = sequence;
    post(SerialSendP__encode);
    return SUCCESS;
}

void UartP__drained(void)
{
    post(SerialSendP__encode);
}

static void SerialSendP__putEscaped(uint8_t byte)
{
    if (byte == HDLC_FLAG || byte == HDLC_ESCAPE) {
        UartP__put(HDLC_ESCAPE);
        byte ^= HDLC_FLIP;
    }
    UartP__put(byte);
}

static void SerialSendP__putChecked(uint8_t byte)
{
    SerialSendP__tx.crc = crcByte(SerialSendP__tx.crc, byte);
    SerialSendP__putEscaped(byte);
}

// False: there is nothing to send.
static bool SerialSendP__beginFrame(void)
{
    if (SerialSendP__numAnswers > 0) {
        SerialSendP__tx.isAnswer = true;
        SerialSendP__tx.length = 1;
    } else if (SerialSendP__numMessages > 0) {
        SerialSendP__tx.isAnswer = false;
        SerialSendP__tx.length = 1 + HEADER_SIZE + nx_get8(&SerialSendP__messages[0]->header.length);
    } else {
        return false;
    }
    SerialSendP__tx.at = 0;
    SerialSendP__tx.crc = 0;
    UartP__put(HDLC_FLAG);
    return true;
}

static uint8_t SerialSendP__body(uint8_t at)
{
    if (SerialSendP__tx.isAnswer)
        return SerialSendP__answers[0];
    if (at == 0)
        return TOS_SERIAL_ACTIVE_MESSAGE_ID;
    return ((const uint8_t *)SerialSendP__messages[0])[at - 1];
}

// The queue is in order before the app is told, since it may send again at once.
static void SerialSendP__endFrame(void)
{
    UartP__put(HDLC_FLAG);
    if (SerialSendP__tx.isAnswer) {
        SerialSendP__numAnswers--;
        for (uint8_t i = 0; i < SerialSendP__numAnswers; i++)
            SerialSendP__answers[i] = SerialSendP__answers[i + 1];
        return;
    }

    message_t *message = SerialSendP__messages[0];

    SerialSendP__numMessages--;
    for (uint8_t i = 0; i < SerialSendP__numMessages; i++)
        SerialSendP__messages[i] = SerialSendP__messages[i + 1];
    SerialSendP__numSent++;
    SerialC__sendDone(message);
}

void SerialSendP__encode__runTask(void)
{
    while (UartP__space() >= MAX_ENCODED) {
        switch (SerialSendP__tx.state) {
        case TX_IDLE:
            if (!SerialSendP__beginFrame())
                return;
            SerialSendP__tx.state = TX_PROTOCOL;
            break;
        case TX_PROTOCOL:
            SerialSendP__putChecked(SerialSendP__tx.isAnswer ? SERIAL_PROTO_ACK : SERIAL_PROTO_PACKET_NOACK);
            SerialSendP__tx.state = TX_BODY;
            break;
        case TX_BODY:
            SerialSendP__putChecked(SerialSendP__body(SerialSendP__tx.at));
            if (++SerialSendP__tx.at == SerialSendP__tx.length)
                SerialSendP__tx.state = TX_CRC_LOW;
            break;
        case TX_CRC_LOW:
            SerialSendP__putEscaped(SerialSendP__tx.crc);
            SerialSendP__tx.state = TX_CRC_HIGH;
            break;
        case TX_CRC_HIGH:
            SerialSendP__putEscaped(SerialSendP__tx.crc >> 8);
            SerialSendP__tx.state = TX_END;
            break;
        case TX_END:
            SerialSendP__tx.state = TX_IDLE;
            SerialSendP__endFrame();
            break;
        }
    }
}
