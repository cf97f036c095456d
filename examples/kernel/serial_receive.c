// Frames from the host. Bytes are taken from the UART's ring in a task, and
// decoded straight into a message buffer.
#include "crc.h"
#include "serial.h"
#include "serial_frame.h"
#include "uart.h"

enum {
    HEADER_SIZE = sizeof(am_header_t),
    CRC_SIZE = 2,
};

static message_t SerialReceiveP__firstBuffer;

static struct {
    message_t *buffer;
    uint8_t protocol;
    uint8_t sequence;
    uint8_t dispatch;
    uint8_t length;         // of the frame so far, without the two bytes held
    uint8_t stored;         // of those, how many are in the buffer
    uint16_t crc;           // over them
    uint8_t held[CRC_SIZE]; // the latest bytes: at the frame's end, its CRC
    uint8_t numHeld;
    bool isEscaped;         // the last byte was the escape
    bool isSkipping;        // nothing more of this frame is of use
} SerialReceiveP__rx = { .buffer = &SerialReceiveP__firstBuffer, .isSkipping = true };

// What became of the frames, for whoever reads the memory of a mote.
static struct {
    uint16_t good;
    uint8_t badCrc;
    uint8_t tooLong;
    uint8_t refused;    // intact, but not an active message, or no room for its answer
} SerialReceiveP__counts;

void UartP__arrived(void)
{
    post(SerialReceiveP__decode);
}

// A byte known to be before the CRC.
static void SerialReceiveP__store(uint8_t byte)
{
    SerialReceiveP__rx.crc = crcByte(SerialReceiveP__rx.crc, byte);

    uint8_t at = SerialReceiveP__rx.length++;

    if (at == 0) {
        SerialReceiveP__rx.protocol = byte;
        // Only that one protocol has a sequence number: without it, go on as
        // if it had been there.
        if (byte != SERIAL_PROTO_PACKET_ACK)
            SerialReceiveP__rx.length++;
    } else if (at == 1) {
        SerialReceiveP__rx.sequence = byte;
    } else if (at == 2) {
        SerialReceiveP__rx.dispatch = byte;
    } else if (SerialReceiveP__rx.stored < sizeof(message_t)) {
        ((uint8_t *)SerialReceiveP__rx.buffer)[SerialReceiveP__rx.stored++] = byte;
    } else {
        SerialReceiveP__counts.tooLong++;
        SerialReceiveP__rx.isSkipping = true;
    }
}

static bool SerialReceiveP__isMessage(void)
{
    if (SerialReceiveP__rx.protocol != SERIAL_PROTO_PACKET_ACK && SerialReceiveP__rx.protocol != SERIAL_PROTO_PACKET_NOACK)
        return false;
    return SerialReceiveP__rx.dispatch == TOS_SERIAL_ACTIVE_MESSAGE_ID && SerialReceiveP__rx.stored >= HEADER_SIZE &&
           nx_get8(&SerialReceiveP__rx.buffer->header.length) == SerialReceiveP__rx.stored - HEADER_SIZE;
}

static void SerialReceiveP__endFrame(void)
{
    if (SerialReceiveP__rx.isSkipping || SerialReceiveP__rx.numHeld == 0)
        return;
    // An escape before the flag is how a sender gives a frame up.
    if (SerialReceiveP__rx.isEscaped || SerialReceiveP__rx.length == 0 ||
        SerialReceiveP__rx.crc != ((uint16_t)SerialReceiveP__rx.held[1] << 8 | SerialReceiveP__rx.held[0])) {
        SerialReceiveP__counts.badCrc++;
        return;
    }
    // A message for which no answer can be sent is as good as lost: the host
    // sends it again, and it should not be received twice.
    if (!SerialReceiveP__isMessage() ||
        (SerialReceiveP__rx.protocol == SERIAL_PROTO_PACKET_ACK &&
         SerialSendP__acknowledge(SerialReceiveP__rx.sequence) != SUCCESS)) {
        SerialReceiveP__counts.refused++;
        return;
    }
    SerialReceiveP__counts.good++;
    SerialReceiveP__rx.buffer = SerialC__receive(SerialReceiveP__rx.buffer, SerialReceiveP__rx.stored - HEADER_SIZE);
}

static void SerialReceiveP__beginFrame(void)
{
    SerialReceiveP__rx.dispatch = 255;
    SerialReceiveP__rx.length = 0;
    SerialReceiveP__rx.stored = 0;
    SerialReceiveP__rx.crc = 0;
    SerialReceiveP__rx.numHeld = 0;
    SerialReceiveP__rx.isEscaped = false;
    SerialReceiveP__rx.isSkipping = false;
}

static void SerialReceiveP__byteReceived(uint8_t byte)
{
    // A flag can end one frame and begin the next, so it always does both.
    if (byte == HDLC_FLAG) {
        SerialReceiveP__endFrame();
        SerialReceiveP__beginFrame();
        return;
    }
    if (SerialReceiveP__rx.isSkipping)
        return;
    if (byte == HDLC_ESCAPE) {
        SerialReceiveP__rx.isEscaped = true;
        return;
    }
    if (SerialReceiveP__rx.isEscaped) {
        SerialReceiveP__rx.isEscaped = false;
        byte ^= HDLC_FLIP;
    }
    if (SerialReceiveP__rx.numHeld == CRC_SIZE)
        SerialReceiveP__store(SerialReceiveP__rx.held[0]);
    else
        SerialReceiveP__rx.numHeld++;
    SerialReceiveP__rx.held[0] = SerialReceiveP__rx.held[1];
    SerialReceiveP__rx.held[1] = byte;
}

void SerialReceiveP__decode__runTask(void)
{
    uint8_t byte;

    while (UartP__take(&byte))
        SerialReceiveP__byteReceived(byte);
}
