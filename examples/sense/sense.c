// Sense: reads the light every 100 ms, shows it and reports it.
//
// What one must see: the LEDs show the reading's three highest bits (dark is 0,
// bright is 7). For each reading one serial frame with an active message of type
// 10 to everyone, which holds the mote's id, a number that counts up from 0, and
// the reading (0 to 1023), 16 bits each, high byte first:
//
//   7E 45 00 FF FF 00 01 06 22 0A 00 01 00 00 02 00 crc crc 7E
//
// The sensor has power for 10 ms before a conversion, and none otherwise.
#include "kernel.h"
#include "leds.h"
#include "photo.h"
#include "serial.h"
#include "timer.h"

enum {
    AM_SENSE_REPORT = 10,
    PERIOD_MS = 100,
};

typedef struct {
    nx_uint16_t node;
    nx_uint16_t sequence;
    nx_uint16_t reading;
} sense_report_t;

static message_t SenseC__message;
static bool SenseC__isSending;
static uint16_t SenseC__sequence;
static uint8_t SenseC__missed;    // readings not taken or not reported in time

void BootC__booted(void)
{
    SerialC__start();
    TimerC__startPeriodic(SenseC__Timer, PERIOD_MS);
}

void SenseC__Timer__fired(void)
{
    if (PhotoC__read() != SUCCESS)
        SenseC__missed++;
}

// While the message belongs to the serial driver, its data must stay as it is: a
// reading that comes too early is shown but not reported.
void PhotoC__readDone(uint16_t reading)
{
    LedsP__set(reading >> 7);

    if (SenseC__isSending) {
        SenseC__missed++;
        return;
    }

    sense_report_t *report = (sense_report_t *)SenseC__message.data;

    nx_set16(&report->node, TOS_NODE_ID);
    nx_set16(&report->sequence, SenseC__sequence++);
    nx_set16(&report->reading, reading);
    if (SerialC__send(TOS_BCAST_ADDR, AM_SENSE_REPORT, &SenseC__message, sizeof *report) == SUCCESS)
        SenseC__isSending = true;
    else
        SenseC__missed++;
}

void SerialC__sendDone(message_t *message)
{
    SenseC__isSending = false;
}

// Nobody has anything to tell this app.
message_t *SerialC__receive(message_t *message, uint8_t length)
{
    return message;
}
