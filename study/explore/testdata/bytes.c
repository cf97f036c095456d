// The interrupt for the byte of a frame that ends its start delimiter turns a bit over, and a task turns over another one of the same byte.
#include "kernel.h"

static volatile struct {
    uint8_t frames : 1;
    uint8_t ticks : 1;
} shared;

static inline error_t noted(enum task_id task)
{
    if (task == CC1000LinkP__synchronised)
        shared.frames ^= 1;
    return post(task);
}

#define post noted
#include "cc1000_link.c"
#undef post

#include "radio.h"
#include "timer.h"

static message_t message;

void BootC__booted(void) { RadioC__start(); }

void RadioC__startDone(error_t error) { TimerC__startPeriodic(CounterC__Timer, 250); }

void CounterC__Timer__fired(void)
{
#ifdef FIXED
    atomic
#endif
    shared.ticks ^= 1; // BUG
    RadioC__send(TOS_BCAST_ADDR, 6, &message, 2);
}

void RadioC__sendDone(message_t *sent, error_t error, bool wasAcked) {}

message_t *RadioC__receive(message_t *heard, uint8_t length, const radio_info_t *info) { return heard; }
