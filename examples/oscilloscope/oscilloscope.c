// Oscilloscope: reads the light eight times a second and reports ten readings at a
// time, as TinyOS 1's app of that name.
//
// What one must see: every 1.22 s one serial frame with an active message of type 10
// to everyone, which holds the mote's id, the number of its last reading and ten
// readings, 16 bits each, high byte first. LED 0 changes with each reading, LED 1
// with each message. A message of type 32 from the host sets the number back to 0,
// and LED 2 changes. Readings above 0x300 are bright, as there, and counted.
//
// elf/oscilloscope_traced-<board>.elf keeps a trace of this file in the external
// flash, and gives it to who asks for it over the serial port (motehound trace
// pull).
#include "kernel.h"
#include "leds.h"
#include "photo.h"
#include "serial.h"
#include "timer.h"
#include "trace.h"

enum {
    AM_READINGS = 10,
    AM_RESET = 32,
    PERIOD_MS = 125,
    NUM_READINGS = 10,
    BRIGHT = 0x300,
};

typedef struct {
    nx_uint16_t node;
    nx_uint16_t last;
    nx_uint16_t readings[NUM_READINGS];
} readings_t;

static uint16_t OscilloscopeC__readings[NUM_READINGS];
static uint8_t OscilloscopeC__numReadings;
static uint16_t OscilloscopeC__last;
static message_t OscilloscopeC__message;
static bool OscilloscopeC__isSending;

// What is true, for whoever reads the memory of a mote.
uint16_t OscilloscopeC__taken;
uint16_t OscilloscopeC__sent;
uint16_t OscilloscopeC__bright;
uint16_t OscilloscopeC__missed;    // readings not taken in time, messages not sent

void BootC__booted(void)
{
    SerialC__start();
    TimerC__startPeriodic(OscilloscopeC__Timer, PERIOD_MS);
}

void OscilloscopeC__Timer__fired(void)
{
    if (PhotoC__read() != SUCCESS)
        OscilloscopeC__missed++;
}

static void OscilloscopeC__report(void)
{
    if (OscilloscopeC__isSending) {
        OscilloscopeC__missed++;
        return;
    }

    readings_t *report = (readings_t *)OscilloscopeC__message.data;

    nx_set16(&report->node, TOS_NODE_ID);
    nx_set16(&report->last, OscilloscopeC__last);
    for (uint8_t i = 0; i < NUM_READINGS; i++)
        nx_set16(&report->readings[i], OscilloscopeC__readings[i]);
    if (SerialC__send(TOS_BCAST_ADDR, AM_READINGS, &OscilloscopeC__message, sizeof *report) == SUCCESS) {
        OscilloscopeC__isSending = true;
        LedsP__toggle(LED1);
    } else {
        OscilloscopeC__missed++;
    }
}

void PhotoC__readDone(uint16_t reading)
{
    LedsP__toggle(LED0);
    OscilloscopeC__taken++;
    OscilloscopeC__last++;
    if (reading > BRIGHT)
        OscilloscopeC__bright++;
    OscilloscopeC__readings[OscilloscopeC__numReadings++] = reading;
    if (OscilloscopeC__numReadings == NUM_READINGS) {
        OscilloscopeC__numReadings = 0;
        OscilloscopeC__report();
    }
}

void SerialC__sendDone(message_t *message)
{
    OscilloscopeC__isSending = false;
    if (nx_get8(&message->header.type) == AM_READINGS)
        OscilloscopeC__sent++;
#ifdef TRACED
    post(TraceC__reply);
#endif
}

message_t *SerialC__receive(message_t *message, uint8_t length)
{
    if (nx_get8(&message->header.type) == AM_RESET) {
        OscilloscopeC__last = 0;
        OscilloscopeC__numReadings = 0;
        LedsP__toggle(LED2);
    }
#ifdef TRACED
    TraceC__take(message, length);
#endif
    return message;
}

#ifdef TRACED
// The tracer's own messages are no part of the trace.
#define QUIET __attribute__((no_instrument_function))

QUIET message_t *TraceC__lend(void)
{
    return OscilloscopeC__isSending ? NULL : &OscilloscopeC__message;
}

QUIET error_t TraceC__send(am_addr_t to, message_t *message, uint8_t length)
{
    error_t error = SerialC__send(to, AM_TRACE, message, length);

    OscilloscopeC__isSending = error == SUCCESS;
    return error;
}
#endif
