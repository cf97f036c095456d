// Serialbuf: messages from the host through two buffers, one filled while the other is
// read, with two bugs (T-Check, IPSN 2010, serial stack bugs 1 and 2).
//
// What one must see: the frames are those of serial.h. A message of type 9 holds a
// counter (16 bits, high byte first), of which the LEDs show the lowest bits. One of
// type 10 has the mote check 1 KiB of its program, which takes some ms, in which the
// next frame may come: that is what the second buffer is for.
//
// The bugs, one in each of two builds, are in dispatcher.c:
//
//   REVERSED  the lock of the other buffer is looked at. A frame that begins between
//             the end of one and the task that reads it is refused, although its buffer
//             is free: SerialDispatcherP__0__refusedFree counts those.
//   LOCKED    a buffer whose frame comes to nothing stays locked: one with a bad CRC, or
//             one that ends before the task has read the one before. From then on
//             every frame is refused.
//
// In the scenarios' timed runs the task is always faster than the host, and no frame is
// damaged. What must be found is in reversed.star and locked.star.
#include "serialbuf.h"

#include <avr/pgmspace.h>

#include "crc.h"
#include "leds.h"
#include "timer.h"
#include "uart.h"

enum {
    AM_COUNTER = 9,
    AM_CHECK = 10,
    ALIVE_MS = 1000,
    CHECK_SIZE = 1024,
};

typedef struct {
    nx_uint16_t counter;
} counter_t;

// What is true, for whoever reads the memory of a mote.
uint16_t SerialbufC__seconds;
uint16_t SerialbufC__received;
uint16_t SerialbufC__counter;    // of the last message that had one
uint16_t SerialbufC__check;      // what the last check of the program gave

void BootC__booted(void)
{
    UartP__start();
    TimerC__startPeriodic(SerialbufC__Alive, ALIVE_MS);
}

void SerialbufC__Alive__fired(void)
{
    SerialbufC__seconds++;
}

static uint16_t SerialbufC__checkProgram(void)
{
    uint16_t crc = 0;

    for (uint16_t i = 0; i < CHECK_SIZE; i++)
        crc = crcByte(crc, pgm_read_byte(i));
    return crc;
}

static void SerialbufC__show(uint16_t counter)
{
    SerialbufC__counter = counter;
    LedsP__set(counter);
}

void SerialbufC__receive(const message_t *message, uint8_t length)
{
    const counter_t *counter = (const counter_t *)message->data;
    uint8_t type = nx_get8(&message->header.type);

    SerialbufC__received++;
    if (type == AM_COUNTER && length >= sizeof *counter)
        SerialbufC__show(nx_get16(&counter->counter));
    else if (type == AM_CHECK)
        SerialbufC__check = SerialbufC__checkProgram();
}

// Nothing is sent.
void UartP__drained(void)
{
}
