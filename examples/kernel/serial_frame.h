// Between the two halves of the serial stack, serial_receive.c and
// serial_send.c.
#ifndef SERIAL_FRAME_H
#define SERIAL_FRAME_H

#include "kernel.h"

enum {
    HDLC_FLAG = 0x7E,
    HDLC_ESCAPE = 0x7D,
    HDLC_FLIP = 0x20,

    SERIAL_PROTO_ACK = 67,
    SERIAL_PROTO_PACKET_ACK = 68,
    SERIAL_PROTO_PACKET_NOACK = 69,

    TOS_SERIAL_ACTIVE_MESSAGE_ID = 0,
};

// Sends the answer to an acknowledged frame, before any message that waits.
// EBUSY: too many answers wait already.
error_t SerialSendP__acknowledge(uint8_t sequence);

#endif
