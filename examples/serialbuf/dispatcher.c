// Frames from the host, into two buffers by turns. All of a frame is taken in the
// handler; a task hands it on. A buffer is locked from the first byte of its frame
// until the app has read the message.
#include "crc.h"
#include "serial_frame.h"
#include "serialbuf.h"
#include "uart.h"

enum {
    HEADER_SIZE = sizeof(am_header_t),
    FRONT_SIZE = 2,    // protocol and dispatch, which are not of the message
    CRC_SIZE = 2,
    MAX_FRAME = FRONT_SIZE + sizeof(message_t) + CRC_SIZE,
};

typedef struct {
    uint8_t bytes[MAX_FRAME];
    uint8_t length;
} frame_buffer_t;

static frame_buffer_t SerialDispatcherP__0__buffers[2];

// The names are those that TinyOS 2 has for the same, so that properties fit both.
volatile struct {
    uint8_t which : 1;    // the buffer of the frame that comes, or will come next
    uint8_t bufZeroLocked : 1;
    uint8_t bufOneLocked : 1;
    enum { RECV_IDLE, RECV_DATA, RECV_REFUSED } state : 2;
} SerialDispatcherP__0__receiveState;

static bool SerialDispatcherP__0__isEscaped;
static volatile bool SerialDispatcherP__0__receiveTaskPending;
static uint8_t SerialDispatcherP__0__receiveTaskWhich;    // what that task is to read

// What is true, for whoever reads the memory of a mote.
uint16_t SerialDispatcherP__0__begun;          // frames
uint16_t SerialDispatcherP__0__refused;        // of those, for want of a buffer,
uint16_t SerialDispatcherP__0__refusedFree;    // and those that had one
uint16_t SerialDispatcherP__0__bad;            // too short, too long or damaged
uint16_t SerialDispatcherP__0__tooEarly;       // before the one before was read

static bool SerialDispatcherP__0__isLocked(uint8_t which)
{
    return which ? SerialDispatcherP__0__receiveState.bufOneLocked : SerialDispatcherP__0__receiveState.bufZeroLocked;
}

static void SerialDispatcherP__0__setLock(uint8_t which, bool isLocked)
{
    if (which)
        SerialDispatcherP__0__receiveState.bufOneLocked = isLocked;
    else
        SerialDispatcherP__0__receiveState.bufZeroLocked = isLocked;
}

static bool SerialDispatcherP__0__isCurrentBufferLocked(void)
{
    uint8_t which = SerialDispatcherP__0__receiveState.which;

    return SerialDispatcherP__0__isLocked(BUG == REVERSED ? !which : which);    // BUG: the other one
}

static void SerialDispatcherP__0__startPacket(void)
{
    uint8_t which = SerialDispatcherP__0__receiveState.which;

    SerialDispatcherP__0__begun++;
    if (SerialDispatcherP__0__isCurrentBufferLocked()) {
        SerialDispatcherP__0__refused++;
        SerialDispatcherP__0__refusedFree += !SerialDispatcherP__0__isLocked(which);
        SerialDispatcherP__0__receiveState.state = RECV_REFUSED;
        return;
    }
    SerialDispatcherP__0__setLock(which, true);
    SerialDispatcherP__0__buffers[which].length = 0;
    SerialDispatcherP__0__receiveState.state = RECV_DATA;
}

static bool SerialDispatcherP__0__isIntact(const frame_buffer_t *buffer)
{
    uint16_t crc = 0;

    if (buffer->length < FRONT_SIZE + HEADER_SIZE + CRC_SIZE || buffer->length > MAX_FRAME)
        return false;
    for (uint8_t i = 0; i < buffer->length - CRC_SIZE; i++)
        crc = crcByte(crc, buffer->bytes[i]);
    return buffer->bytes[buffer->length - 2] == (uint8_t)crc && buffer->bytes[buffer->length - 1] == crc >> 8 &&
           buffer->bytes[0] == SERIAL_PROTO_PACKET_NOACK && buffer->bytes[1] == TOS_SERIAL_ACTIVE_MESSAGE_ID;
}

// The frame in the current buffer is complete: to be read, if it is of use, or else
// forgotten.
static void SerialDispatcherP__0__endPacket(void)
{
    uint8_t which = SerialDispatcherP__0__receiveState.which;
    bool isGood = SerialDispatcherP__0__isIntact(&SerialDispatcherP__0__buffers[which]);

    SerialDispatcherP__0__bad += !isGood;
    if (isGood && !SerialDispatcherP__0__receiveTaskPending) {
        SerialDispatcherP__0__receiveTaskPending = true;
        SerialDispatcherP__0__receiveTaskWhich = which;
        SerialDispatcherP__0__receiveState.which = !which;
        post(SerialDispatcherP__0__receiveTask);
        return;
    }
    SerialDispatcherP__0__tooEarly += isGood;
    if (BUG != LOCKED)    // BUG: it stays locked
        SerialDispatcherP__0__setLock(which, false);
}

void SerialDispatcherP__0__receiveTask__runTask(void)
{
    uint8_t which = SerialDispatcherP__0__receiveTaskWhich;
    const frame_buffer_t *buffer = &SerialDispatcherP__0__buffers[which];

    SerialbufC__receive((const message_t *)(buffer->bytes + FRONT_SIZE),
                        buffer->length - FRONT_SIZE - HEADER_SIZE - CRC_SIZE);
    atomic {
        SerialDispatcherP__0__setLock(which, false);
        SerialDispatcherP__0__receiveTaskPending = false;
    }
}

// Of a frame that is too long, only that it is.
static void SerialDispatcherP__0__store(uint8_t byte)
{
    frame_buffer_t *buffer = &SerialDispatcherP__0__buffers[SerialDispatcherP__0__receiveState.which];

    if (buffer->length < MAX_FRAME)
        buffer->bytes[buffer->length] = byte;
    if (buffer->length <= MAX_FRAME)
        buffer->length++;
}

// Flags are between frames, any number of them.
static void SerialDispatcherP__0__flag(void)
{
    if (SerialDispatcherP__0__receiveState.state == RECV_DATA)
        SerialDispatcherP__0__endPacket();
    SerialDispatcherP__0__receiveState.state = RECV_IDLE;
    SerialDispatcherP__0__isEscaped = false;
}

static void SerialDispatcherP__0__byteReceived(uint8_t byte)
{
    if (byte == HDLC_FLAG) {
        SerialDispatcherP__0__flag();
        return;
    }
    if (SerialDispatcherP__0__receiveState.state == RECV_IDLE)
        SerialDispatcherP__0__startPacket();
    if (byte == HDLC_ESCAPE) {
        SerialDispatcherP__0__isEscaped = true;
        return;
    }
    if (SerialDispatcherP__0__isEscaped)
        byte ^= HDLC_FLIP;
    SerialDispatcherP__0__isEscaped = false;
    if (SerialDispatcherP__0__receiveState.state == RECV_DATA)
        SerialDispatcherP__0__store(byte);
}

// In the handler, which is the only one that takes.
void UartP__arrived(void)
{
    uint8_t byte;

    while (UartP__take(&byte))
        SerialDispatcherP__0__byteReceived(byte);
}
