// Readings: each mote but mote 0 reads its light every 100 ms and sends every five
// readings to mote 0, with a bug: a timer that comes before the reading it asked for
// lets readings run past the end of their array (T-Check, IPSN 2010, section 5.1.6,
// after TinyOS's MultihopOscilloscope).
//
// What one must see: active messages of type 147 from each mote to mote 0, two a
// second. Every five seconds a mote also reads its battery, and checks 2 KiB of its
// program, which takes about 10 ms.
//
// The bug: the timer sends the readings and begins anew when there are five, then asks
// for the next. If the last of the five is still being read when the timer comes, there
// are only four, so nothing is sent; the arbiter (arbiter.c) takes the request all the
// same, and two readings are done before the timer comes again. The second is written
// past the end of ReadingsC__local. And since the number of readings is then not five,
// but six, nothing is ever sent again: it goes on through the memory behind.
//
// What must be found: the store in ReadingsC__readDone with ReadingsC__reading beyond
// NUM_READINGS - 1. It takes a conversion longer than the time to the next timer's
// task, which in timed runs of readings.star does not happen. ReadingsC__past counts
// such stores (as long as it is not itself written over); it stays 0 in the fixed
// build.
#include <avr/pgmspace.h>
#include <string.h>

#include "arbiter.h"
#include "crc.h"
#include "leds.h"
#include "radio.h"
#include "timer.h"

enum {
    AM_READINGS = 147,
    SINK = 0,
    NUM_READINGS = 5,
    MAX_MOTES = 16,
    TEST_SIZE = 2048,
};

typedef struct {
    nx_uint16_t id;
    nx_uint16_t count;    // of reports, from 1
    nx_uint16_t battery;
    nx_uint16_t readings[NUM_READINGS];
} report_t;

// For a sweep: in ms.
uint16_t ReadingsC__period = 100;
uint16_t ReadingsC__batteryPeriod = 5000;
uint16_t ReadingsC__testPeriod = 5000;

static report_t ReadingsC__local;
static message_t ReadingsC__message;
static bool ReadingsC__isSending;
static uint16_t ReadingsC__check;

// What is true, for whoever reads the memory of a mote.
uint16_t ReadingsC__past;                   // readings written past the end
uint16_t ReadingsC__late;                   // readings left out, when there were enough
uint8_t ReadingsC__reading;                 // readings since the last report
uint16_t ReadingsC__count;
uint16_t ReadingsC__sent;
uint16_t ReadingsC__notSent;
uint16_t ReadingsC__refused;                // reads, by the arbiter
uint16_t ReadingsC__received[MAX_MOTES];    // reports, by the sink

void BootC__booted(void)
{
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS) {
        RadioC__start();
        return;
    }
    if (TOS_NODE_ID == SINK)
        return;
    TimerC__startPeriodic(ReadingsC__Timer, ReadingsC__period);
    TimerC__startPeriodic(ReadingsC__Battery, ReadingsC__batteryPeriod);
    TimerC__startPeriodic(ReadingsC__SelfTest, ReadingsC__testPeriod);
}

static void ReadingsC__report(void)
{
    ReadingsC__count++;
    if (ReadingsC__isSending) {
        ReadingsC__notSent++;
        return;
    }
    nx_set16(&ReadingsC__local.id, TOS_NODE_ID);
    nx_set16(&ReadingsC__local.count, ReadingsC__count);
    memcpy(ReadingsC__message.data, &ReadingsC__local, sizeof ReadingsC__local);
    if (RadioC__send(SINK, AM_READINGS, &ReadingsC__message, sizeof ReadingsC__local) == SUCCESS)
        ReadingsC__isSending = true;
    else
        ReadingsC__notSent++;
}

void ReadingsC__Timer__fired(void)
{
    if (ReadingsC__reading == NUM_READINGS) {
        ReadingsC__report();
        ReadingsC__reading = 0;
    }
    if (ArbiterP__read(LIGHT) != SUCCESS)
        ReadingsC__refused++;
}

void ReadingsC__readDone(uint16_t value)
{
#ifdef FIXED
    if (ReadingsC__reading == NUM_READINGS) {
        ReadingsC__late++;
        return;
    }
#endif
    ReadingsC__past += ReadingsC__reading >= NUM_READINGS;
    nx_set16(&ReadingsC__local.readings[ReadingsC__reading++], value);    // BUG: there may be no place left
}

void ReadingsC__Battery__fired(void)
{
    if (ArbiterP__read(BATTERY) != SUCCESS)
        ReadingsC__refused++;
}

void ReadingsC__batteryDone(uint16_t value)
{
    nx_set16(&ReadingsC__local.battery, value);
}

void ReadingsC__SelfTest__fired(void)
{
    uint16_t crc = 0;

    for (uint16_t i = 0; i < TEST_SIZE; i++)
        crc = crcByte(crc, pgm_read_byte(i));
    ReadingsC__check = crc;
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    ReadingsC__isSending = false;
    if (wasAcked)
        ReadingsC__sent++;
    else
        ReadingsC__notSent++;
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const report_t *report = (const report_t *)message->data;

    if (nx_get8(&message->header.type) != AM_READINGS || length != sizeof *report)
        return message;
    if (nx_get16(&report->id) < MAX_MOTES)
        ReadingsC__received[nx_get16(&report->id)]++;
    LedsP__toggle(LED2);
    return message;
}
