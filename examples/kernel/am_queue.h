// One radio for the clients that the app lists in AM_CLIENTS, as TinyOS's AMQueueP
// has it: each has at most one message waiting, and they take turns. A client
// <name> calls void <name>__sendDone(message_t *, error_t, bool wasAcked), in a
// task. To be used in tasks only. An app with one sender needs none of this.
#ifndef AM_QUEUE_H
#define AM_QUEUE_H

#include "radio.h"

#define AS_AM_CLIENT(name) name,

enum am_client { AM_CLIENTS(AS_AM_CLIENT) };

// As RadioC__send. EBUSY: this client's last message is not done.
error_t AMQueueP__send(enum am_client client, am_addr_t dest, uint8_t type, message_t *message, uint8_t length);

#endif
