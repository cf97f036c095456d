// Counter: motes count on each other's LEDs, like TinyOS's RadioCountToLeds, which
// on a MicaZ it can talk to.
//
// What one must see: every 250 ms each mote tells everyone its counter, from 1 up,
// in an active message of type 6, 16 bits, high byte first. A mote's LEDs show the
// three lowest bits of the last counter that it heard: with two motes each shows
// what the other counts, with more they flicker. In memory, heard is nearly what
// the other motes' sent add up to, when no link loses anything and all hear each
// other: nine tenths and more, or eight when several motes were switched on at
// the same moment, for they send at the same moments ever after.
#include "kernel.h"
#include "leds.h"
#include "radio.h"
#include "timer.h"

enum {
    AM_RADIO_COUNT = 6,
    PERIOD_MS = 250,
};

typedef struct {
    nx_uint16_t counter;
} radio_count_t;

static message_t CounterC__message;
static bool CounterC__isSending;

// What is true, for whoever reads the memory of a mote.
uint16_t CounterC__counter;
uint16_t CounterC__sent;
uint16_t CounterC__heard;
uint16_t CounterC__lastHeard;    // the counter,
am_addr_t CounterC__lastFrom;    // and whose it was
uint16_t CounterC__notSent;      // the one before was not done, or the radio would not

void BootC__booted(void)
{
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error == SUCCESS)
        TimerC__startPeriodic(CounterC__Timer, PERIOD_MS);
    else
        RadioC__start();
}

void CounterC__Timer__fired(void)
{
    CounterC__counter++;
    if (CounterC__isSending) {
        CounterC__notSent++;
        return;
    }

    radio_count_t *count = (radio_count_t *)CounterC__message.data;

    nx_set16(&count->counter, CounterC__counter);
    if (RadioC__send(TOS_BCAST_ADDR, AM_RADIO_COUNT, &CounterC__message, sizeof *count) == SUCCESS)
        CounterC__isSending = true;
    else
        CounterC__notSent++;
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    CounterC__isSending = false;
    if (error == SUCCESS)
        CounterC__sent++;
    else
        CounterC__notSent++;
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const radio_count_t *count = (const radio_count_t *)message->data;

    if (nx_get8(&message->header.type) == AM_RADIO_COUNT && length >= sizeof *count) {
        CounterC__heard++;
        CounterC__lastHeard = nx_get16(&count->counter);
        CounterC__lastFrom = nx_get16(&message->header.src);
        LedsP__set(CounterC__lastHeard);
    }
    return message;
}
