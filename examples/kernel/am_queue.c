#include "am_queue.h"

#define AS_ONE_AM_CLIENT(name) +1

enum {
    NUM_CLIENTS = 0 AM_CLIENTS(AS_ONE_AM_CLIENT),
    NO_CLIENT = 255,
};

static struct {
    message_t *message;    // or NULL
    am_addr_t dest;
    uint8_t type;
    uint8_t length;
} AMQueueP__waiting[NUM_CLIENTS];

static uint8_t AMQueueP__current = NO_CLIENT;    // whose message the radio has

#define DECLARE_SEND_DONE(name) void name##__sendDone(message_t *message, error_t error, bool wasAcked);
AM_CLIENTS(DECLARE_SEND_DONE)

static void AMQueueP__sendDone(enum am_client client, message_t *message, error_t error, bool wasAcked)
{
#define CALL_SEND_DONE(name) case name: name##__sendDone(message, error, wasAcked); break;
    switch (client) {
    AM_CLIENTS(CALL_SEND_DONE)
    }
}

static error_t AMQueueP__start(uint8_t client)
{
    error_t error = RadioC__send(AMQueueP__waiting[client].dest, AMQueueP__waiting[client].type,
                                 AMQueueP__waiting[client].message, AMQueueP__waiting[client].length);

    if (error == SUCCESS)
        AMQueueP__current = client;
    return error;
}

error_t AMQueueP__send(enum am_client client, am_addr_t dest, uint8_t type, message_t *message, uint8_t length)
{
    error_t error = SUCCESS;

    if (AMQueueP__waiting[client].message != NULL)
        return EBUSY;
    AMQueueP__waiting[client].message = message;
    AMQueueP__waiting[client].dest = dest;
    AMQueueP__waiting[client].type = type;
    AMQueueP__waiting[client].length = length;
    if (AMQueueP__current == NO_CLIENT)
        error = AMQueueP__start(client);
    if (error != SUCCESS)
        AMQueueP__waiting[client].message = NULL;
    return error;
}

// The next message goes to the radio before the client hears of this one, going
// round from whose turn it was: a client that sends again at once starves no
// other. One that the radio refuses is done, too.
void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    uint8_t done = AMQueueP__current;
    uint8_t next = done;

    AMQueueP__waiting[done].message = NULL;
    AMQueueP__current = NO_CLIENT;
    do {
        if (++next == NUM_CLIENTS)
            next = 0;
        if (AMQueueP__waiting[next].message == NULL)
            continue;

        error_t refused = AMQueueP__start(next);

        if (refused == SUCCESS)
            break;

        message_t *lost = AMQueueP__waiting[next].message;

        AMQueueP__waiting[next].message = NULL;
        AMQueueP__sendDone(next, lost, refused, false);
    } while (next != done);
    AMQueueP__sendDone(done, message, error, wasAcked);
}
