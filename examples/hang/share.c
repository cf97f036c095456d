// One radio for the clients that the app lists in AM_CLIENTS: who comes first has it,
// and the others are told that it is busy. What kernel/am_queue.c does better.
#include "am_queue.h"

static uint8_t AMQueueP__current;    // whose message the radio has

#define DECLARE_SEND_DONE(name) void name##__sendDone(message_t *message, error_t error, bool wasAcked);
AM_CLIENTS(DECLARE_SEND_DONE)

error_t AMQueueP__send(enum am_client client, am_addr_t dest, uint8_t type, message_t *message, uint8_t length)
{
    error_t error = RadioC__send(dest, type, message, length);

    if (error == SUCCESS)
        AMQueueP__current = client;
    return error;
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
#define CALL_SEND_DONE(name) case name: name##__sendDone(message, error, wasAcked); break;
    switch ((enum am_client)AMQueueP__current) {
    AM_CLIENTS(CALL_SEND_DONE)
    }
}
