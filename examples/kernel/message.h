// An active message: what is sent and received, over whichever medium.
#ifndef MESSAGE_H
#define MESSAGE_H

#include "nx.h"

enum { TOSH_DATA_LENGTH = 28 };

// TinyOS's serial_header_t, as it goes over the wire.
typedef struct {
    nx_uint16_t dest;
    nx_uint16_t src;
    nx_uint8_t length;
    nx_uint8_t group;
    nx_uint8_t type;
} am_header_t;

typedef struct {
    am_header_t header;
    uint8_t data[TOSH_DATA_LENGTH];
} message_t;

#endif
