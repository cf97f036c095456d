// Base: a bridge between the host's serial port and the radio, as TinyOS's
// BaseStation.
//
// What one must see: what comes in serial frames is sent on the air, to the same
// mote and with the same type; what comes to this mote, or to all, is given to the
// host, with this mote as its source. LED 0 changes with each message sent on the
// air, LED 1 with each given to the host, LED 2 with each that is dropped.
#include <string.h>

#include "kernel.h"
#include "leds.h"
#include "radio.h"
#include "random.h"
#include "serial.h"
#include "timer.h"

enum {
    NUM_OUT = 4,     // for the air
    NUM_IN = 4,      // for the host
    MAX_TRIES = 4,
    RETRY_MS = 8 * RADIO_PACE,
};

// Oldest first; the first may be on its way.
static message_t BaseC__out[NUM_OUT];
static uint8_t BaseC__firstOut, BaseC__numOut;
static bool BaseC__isSending;
static uint8_t BaseC__tries;

static message_t BaseC__in[NUM_IN];
static uint8_t BaseC__used;    // a bit for each

// What is true, for whoever reads the memory of a mote.
uint16_t BaseC__sent;
uint16_t BaseC__given;
uint16_t BaseC__dropped;

void BootC__booted(void)
{
    SerialC__start();
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS)
        RadioC__start();
}

static void BaseC__drop(void)
{
    BaseC__dropped++;
    LedsP__toggle(LED2);
}

message_t *SerialC__receive(message_t *message, uint8_t length)
{
    if (BaseC__numOut == NUM_OUT) {
        BaseC__drop();
        return message;
    }
    BaseC__out[(BaseC__firstOut + BaseC__numOut) % NUM_OUT] = *message;
    BaseC__numOut++;
    post(BaseC__transmit);
    return message;
}

void BaseC__transmit__runTask(void)
{
    message_t *message = &BaseC__out[BaseC__firstOut];

    if (BaseC__numOut == 0 || BaseC__isSending)
        return;
    if (RadioC__send(nx_get16(&message->header.dest), nx_get8(&message->header.type), message,
                     nx_get8(&message->header.length)) == SUCCESS)
        BaseC__isSending = true;
    else
        TimerC__startOneShot(BaseC__Retry, RETRY_MS);
}

void BaseC__Retry__fired(void)
{
    post(BaseC__transmit);
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    BaseC__isSending = false;
    if (!wasAcked && nx_get16(&message->header.dest) != TOS_BCAST_ADDR && ++BaseC__tries < MAX_TRIES) {
        TimerC__startOneShot(BaseC__Retry, 1 + RandomC__below(RETRY_MS));
        return;
    }
    BaseC__tries = 0;
    BaseC__sent++;
    LedsP__toggle(LED0);
    BaseC__firstOut = (BaseC__firstOut + 1) % NUM_OUT;
    BaseC__numOut--;
    post(BaseC__transmit);
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    uint8_t i = 0;

    while (i < NUM_IN && (BaseC__used & 1 << i))
        i++;
    if (i == NUM_IN) {
        BaseC__drop();
        return message;
    }
    memcpy(BaseC__in[i].data, message->data, length);
    if (SerialC__send(nx_get16(&message->header.dest), nx_get8(&message->header.type), &BaseC__in[i], length) != SUCCESS) {
        BaseC__drop();
        return message;
    }
    BaseC__used |= 1 << i;
    return message;
}

void SerialC__sendDone(message_t *message)
{
    BaseC__used &= ~(1 << (message - BaseC__in));
    BaseC__given++;
    LedsP__toggle(LED1);
}
