// The radio and the wire. Each has a queue of copies, oldest first; the first is the one
// being sent. Over the radio everything is broadcast: nothing is acknowledged there,
// and only TCP sends again.
#include <string.h>

#include "radio.h"
#include "tinytcp.h"
#include "uart.h"

enum {
    AM_TINYTCP = 80,
    QUEUE_SIZE = 3,
};

uint8_t LinkC__useRadio = 1;
uint8_t LinkC__useWire = 0;

static struct {
    uint8_t waiting;
    uint8_t lengths[QUEUE_SIZE];
    packet_t packets[QUEUE_SIZE];
} LinkP__queues[NUM_LINKS];

static message_t LinkP__message;
static bool LinkP__isSending;

// What is true, for whoever reads the memory of a mote.
uint16_t LinkP__sentCount[NUM_LINKS];
uint16_t LinkP__dropped;    // the queue was full, or the radio refused

void LinkC__start(void)
{
    UartP__start();
    if (LinkC__useRadio)
        RadioC__start();
    else
        LinkC__started();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS)
        RadioC__start();
    else
        LinkC__started();
}

void LinkC__send(uint8_t link, const packet_t *packet, uint8_t length)
{
    uint8_t at = LinkP__queues[link].waiting;

    if (at == QUEUE_SIZE) {
        LinkP__dropped++;
        return;
    }
    LinkP__queues[link].packets[at] = *packet;
    LinkP__queues[link].lengths[at] = length;
    LinkP__queues[link].waiting++;
    post(link == LINK_RADIO ? LinkP__transmit : SlipP__encode);
}

const packet_t *LinkP__first(uint8_t link, uint8_t *length)
{
    if (LinkP__queues[link].waiting == 0)
        return NULL;
    *length = LinkP__queues[link].lengths[0];
    return &LinkP__queues[link].packets[0];
}

void LinkP__sent(uint8_t link)
{
    uint8_t left = --LinkP__queues[link].waiting;

    LinkP__sentCount[link]++;
    memmove(&LinkP__queues[link].packets[0], &LinkP__queues[link].packets[1], left * sizeof(packet_t));
    memmove(&LinkP__queues[link].lengths[0], &LinkP__queues[link].lengths[1], left);
}

void LinkP__transmit__runTask(void)
{
    uint8_t length;
    const packet_t *packet = LinkP__first(LINK_RADIO, &length);

    if (LinkP__isSending || packet == NULL)
        return;
    memcpy(LinkP__message.data, packet, length);
    if (RadioC__send(TOS_BCAST_ADDR, AM_TINYTCP, &LinkP__message, length) == SUCCESS) {
        LinkP__isSending = true;
        return;
    }
    LinkP__dropped++;
    LinkP__sent(LINK_RADIO);
    post(LinkP__transmit);
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    LinkP__isSending = false;
    LinkP__sent(LINK_RADIO);
    post(LinkP__transmit);
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    if (nx_get8(&message->header.type) == AM_TINYTCP)
        NetC__receive((const packet_t *)message->data, length, LINK_RADIO);
    return message;
}

void UartP__arrived(void)
{
    post(LinkP__serial);
}

void LinkP__serial__runTask(void)
{
    uint8_t byte;

    while (UartP__take(&byte)) {
        if (LinkC__useWire)
            SlipP__byteReceived(byte);
        else
            ShellC__typed(byte);
    }
}
