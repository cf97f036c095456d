// Starve: a handler whose failing path is slow, so that handlers are all that runs:
// the case study of Lightweight Tracing (Sundaram et al., MidSens 2009), which was
// a bug of TinyOS 1's CC1000 stack. For the Mica2.
//
// What one must see: once a second the mote sends an active message of type 9, with a
// number that counts up, and LED 0 changes. Every 3 s it has 24 pieces of work, 10 ms
// each, for a queue with eight places. When a message is out, the radio's handler
// posts that news to the same queue. In the first moment at which it finds no room,
// the mote hangs: the handler turns the radio round, which takes 400 us, fails to
// post, and tries again at the next byte, 416 us later. No task runs. The watchdog
// resets the mote after two seconds. Then it sends a message of type 10 with how
// often it was started, and does no more work: somebody may want to ask what
// happened.
//
// The builds with -DFIXED turn the radio round only when the news was posted: then
// the failing path is short, tasks run, and there is room before long.
//
// elf/starve_traced-mica2.elf keeps a trace of the handler in the external flash.
#include <avr/wdt.h>

#include "kernel.h"
#include "leds.h"
#include "radio.h"
#include "starve.h"
#include "timer.h"
#include "trace.h"
#include "board.h"

#include <util/delay.h>

enum {
    AM_NUMBER = 9,
    AM_STARTED = 10,
    SEND_MS = 1010,
    WORK_MS = 3000,
    FEED_MS = 256,
    NUM_WORK = 24,
    WORK_US = 10000,
};

typedef struct {
    nx_uint16_t number;
} number_t;

static message_t StarveC__message;
static bool StarveC__isSending;
static uint8_t StarveC__left;    // pieces of work that are not in the queue yet

// Of all runs, as long as there is power.
static struct {
    uint16_t magic;
    uint16_t starts;
} StarveC__kept __attribute__((section(".noinit")));

enum { KEPT_MAGIC = 0x5A17 };

// What is true, for whoever reads the memory of a mote.
uint16_t StarveC__number;
uint16_t StarveC__works;
uint16_t StarveC__starts;

void BootC__booted(void)
{
    if (StarveC__kept.magic != KEPT_MAGIC)
        StarveC__kept.starts = 0;
    StarveC__kept.magic = KEPT_MAGIC;
    StarveC__starts = ++StarveC__kept.starts;
    wdt_enable(WDTO_2S);
    TimerC__startPeriodic(StarveC__Feed, FEED_MS);
    RadioC__start();
}

void StarveC__Feed__fired(void)
{
    wdt_reset();
}

static void StarveC__tell(uint8_t type, uint16_t number)
{
    number_t *data = (number_t *)StarveC__message.data;

    if (StarveC__isSending)
        return;
    nx_set16(&data->number, number);
    StarveC__isSending = RadioC__send(TOS_BCAST_ADDR, type, &StarveC__message, sizeof *data) == SUCCESS;
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS) {
        RadioC__start();
        return;
    }
    StarveC__tell(AM_STARTED, StarveC__starts);
    TimerC__startPeriodic(StarveC__Send, SEND_MS);
    if (StarveC__starts == 1)
        TimerC__startPeriodic(StarveC__Work, WORK_MS);
}

void StarveC__Send__fired(void)
{
    LedsP__toggle(LED0);
    StarveC__tell(AM_NUMBER, ++StarveC__number);
}

static void StarveC__enqueue(void)
{
    while (StarveC__left > 0 && QueueP__post(JOB_WORK))
        StarveC__left--;
}

void StarveC__Work__fired(void)
{
    StarveC__left = NUM_WORK;
    StarveC__enqueue();
}

void StarveC__work(void)
{
    StarveC__enqueue();
    StarveC__works++;
    _delay_us(WORK_US);
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    StarveC__isSending = false;
#ifdef TRACED
    post(TraceC__reply);
#endif
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
#ifdef TRACED
    TraceC__take(message, length);
#endif
    return message;
}

#ifdef TRACED
message_t *TraceC__lend(void)
{
    return StarveC__isSending ? NULL : &StarveC__message;
}

error_t TraceC__send(am_addr_t to, message_t *message, uint8_t length)
{
    error_t error = RadioC__send(to, AM_TRACE, message, length);

    StarveC__isSending = error == SUCCESS;
    return error;
}
#endif
