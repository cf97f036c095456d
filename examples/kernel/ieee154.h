// What is on the air, on both boards: an IEEE 802.15.4 data frame with 16-bit
// addresses, and in it an active message as TinyOS 2 has it on a MicaZ,
//
//   FCF  DSN  PAN  dest  src  3F  type  data  FCS
//    2    1    2    2     2   1    1   0..28   2   bytes, low byte first
//
// and the acknowledgement of one, FCF DSN FCS. The CC2420 adds and checks the FCS
// by itself.
#ifndef IEEE154_H
#define IEEE154_H

#include "kernel.h"
#include "message.h"

enum {
    // Frame control: type, one PAN for both addresses, both addresses 16 bits.
    IEEE154_FCF_DATA = 0x8841,
    IEEE154_FCF_ACK = 0x0002,
    IEEE154_FCF_ACK_REQUEST = 0x0020,

    // The first byte of a frame that is not 6LoWPAN; TinyOS has this one.
    TINYOS_NETWORK_ID = 0x3F,

    IEEE154_FCS_SIZE = 2,
};

// The AVR, like the frame, has its low bytes first.
typedef struct {
    uint16_t fcf;
    uint8_t dsn;
    uint16_t pan;
    uint16_t dest;
    uint16_t src;
    uint8_t network;
    uint8_t type;
} __attribute__((packed)) ieee154_header_t;

typedef struct {
    uint16_t fcf;
    uint8_t dsn;
} __attribute__((packed)) ieee154_ack_t;

enum {
    IEEE154_ACK_LENGTH = sizeof(ieee154_ack_t) + IEEE154_FCS_SIZE,
    IEEE154_MIN_LENGTH = sizeof(ieee154_header_t) + IEEE154_FCS_SIZE,
    IEEE154_MAX_LENGTH = IEEE154_MIN_LENGTH + TOSH_DATA_LENGTH,
};

// Puts what RadioC__send was told into the message's own header, and the frame's
// header from it. A message to a single mote asks for an acknowledgement.
static inline void Ieee154__address(message_t *message, am_addr_t dest, uint8_t type, uint8_t length)
{
    nx_set16(&message->header.dest, dest);
    nx_set16(&message->header.src, ActiveMessageAddressC__addr);
    nx_set8(&message->header.length, length);
    nx_set8(&message->header.group, TOS_AM_GROUP);
    nx_set8(&message->header.type, type);
}

static inline void Ieee154__toFrame(ieee154_header_t *header, const message_t *message, uint8_t dsn)
{
    header->fcf = IEEE154_FCF_DATA;
    header->dsn = dsn;
    header->pan = TOS_AM_GROUP;
    header->dest = nx_get16(&message->header.dest);
    header->src = nx_get16(&message->header.src);
    header->network = TINYOS_NETWORK_ID;
    header->type = nx_get8(&message->header.type);
    if (header->dest != TOS_BCAST_ADDR)
        header->fcf |= IEEE154_FCF_ACK_REQUEST;
}

// The other way round. False: it is not an active message.
static inline bool Ieee154__fromFrame(message_t *message, const ieee154_header_t *header, uint8_t length)
{
    if ((header->fcf & ~IEEE154_FCF_ACK_REQUEST) != IEEE154_FCF_DATA || header->network != TINYOS_NETWORK_ID)
        return false;
    nx_set16(&message->header.dest, header->dest);
    nx_set16(&message->header.src, header->src);
    nx_set8(&message->header.length, length);
    nx_set8(&message->header.group, header->pan);
    nx_set8(&message->header.type, header->type);
    return true;
}

#endif
