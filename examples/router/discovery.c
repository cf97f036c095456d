// Asking for a route, and answering. Requests are broadcast and not passed on, since
// here everybody hears everybody. The mote that is asked for answers each asker in
// turn, so that none of those that ask at the same time has to ask again.
#include <string.h>

#include "am_queue.h"
#include "router.h"

enum { MAX_ASKERS = 4 };

typedef struct {
    nx_uint16_t destination;
} route_request_t;

typedef route_request_t route_reply_t;

static message_t DiscoveryP__message;
static bool DiscoveryP__isSending;
static am_addr_t DiscoveryP__askers[MAX_ASKERS];    // who waits for an answer, the first first
static uint8_t DiscoveryP__waiting;                 // how many

// What is true, for whoever reads the memory of a mote.
uint16_t DiscoveryP__asked;
uint16_t DiscoveryP__answered;
uint16_t DiscoveryP__learnt;
uint16_t DiscoveryP__refused;    // too many asked

static void DiscoveryP__send(am_addr_t to, uint8_t type, am_addr_t destination)
{
    route_request_t *request = (route_request_t *)DiscoveryP__message.data;

    nx_set16(&request->destination, destination);
    if (AMQueueP__send(DiscoveryP__Control, to, type, &DiscoveryP__message, sizeof *request) == SUCCESS)
        DiscoveryP__isSending = true;
}

void DiscoveryP__ask(am_addr_t destination)
{
    if (DiscoveryP__isSending)
        return;
    DiscoveryP__asked++;
    DiscoveryP__send(TOS_BCAST_ADDR, AM_REQUEST, destination);
}

static void DiscoveryP__answerNext(void)
{
    if (DiscoveryP__isSending || DiscoveryP__waiting == 0)
        return;

    am_addr_t asker = DiscoveryP__askers[0];

    DiscoveryP__waiting--;
    memmove(&DiscoveryP__askers[0], &DiscoveryP__askers[1], DiscoveryP__waiting * sizeof asker);
    DiscoveryP__answered++;
    DiscoveryP__send(asker, AM_REPLY, AddressP__address());
}

void DiscoveryP__requested(am_addr_t asker, const void *data, uint8_t length)
{
    const route_request_t *request = data;

    if (length != sizeof *request || nx_get16(&request->destination) != AddressP__address())
        return;
    if (DiscoveryP__waiting == MAX_ASKERS) {
        DiscoveryP__refused++;
        return;
    }
    DiscoveryP__askers[DiscoveryP__waiting++] = asker;
    DiscoveryP__answerNext();
}

void DiscoveryP__replied(am_addr_t answerer, const void *data, uint8_t length)
{
    const route_reply_t *reply = data;

    if (length != sizeof *reply)
        return;
    DiscoveryP__learnt++;
    TableP__learn(nx_get16(&reply->destination), answerer);
}

void DiscoveryP__Control__sendDone(message_t *message, error_t error, bool wasAcked)
{
    DiscoveryP__isSending = false;
    DiscoveryP__answerNext();
}
