// Remote: motes that are commanded over the radio, with a bug: a command that is too
// long overwrites what is behind a variable.
//
// What one must see: every second a mote broadcasts a report of type 102, with the
// number of commands that it has obeyed and refused. A command is an active message of
// type 101:
//
//   command  length  check (2, CRC of command, length and data)  data, length bytes
//
// 1 turns LEDs on and off, 2 sets the seconds between two reports, 3 gives the mote its
// label. Others, and those with a wrong check or length, are refused.
//
// The bug: that a label has at most LABEL_SIZE bytes is not looked for. A message has
// room for 24.
//
// What must be found: the store in RemoteC__setLabel past the end of RemoteC__label.
// RemoteC__past counts such bytes; it stays 0 in the fixed build.
#include "crc.h"
#include "kernel.h"
#include "leds.h"
#include "radio.h"
#include "timer.h"

enum {
    AM_COMMAND = 101,
    AM_REPORT = 102,
    LABEL_SIZE = 10,
};

enum { SET_LEDS = 1, SET_PERIOD = 2, SET_LABEL = 3 };

typedef struct {
    nx_uint8_t command;
    nx_uint8_t length;
    nx_uint16_t check;
    uint8_t data[];
} command_t;

typedef struct {
    nx_uint16_t obeyed;
    nx_uint16_t refused;
} report_t;

static message_t RemoteC__message;
static bool RemoteC__isSending;

// What is true, for whoever reads the memory of a mote.
uint8_t RemoteC__label[LABEL_SIZE];
uint8_t RemoteC__labelSize;
uint8_t RemoteC__period = 1;    // in seconds
uint16_t RemoteC__obeyed;
uint16_t RemoteC__refused;
uint16_t RemoteC__past;         // bytes written past the end of the label

static void RemoteC__reportLater(void)
{
    TimerC__startOneShot(RemoteC__Report, RemoteC__period * 1024UL);
}

void BootC__booted(void)
{
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS)
        RadioC__start();
    else
        RemoteC__reportLater();
}

void RemoteC__Report__fired(void)
{
    report_t *report = (report_t *)RemoteC__message.data;

    RemoteC__reportLater();
    if (RemoteC__isSending)
        return;
    nx_set16(&report->obeyed, RemoteC__obeyed);
    nx_set16(&report->refused, RemoteC__refused);
    if (RadioC__send(TOS_BCAST_ADDR, AM_REPORT, &RemoteC__message, sizeof *report) == SUCCESS)
        RemoteC__isSending = true;
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    RemoteC__isSending = false;
}

static uint16_t RemoteC__check(uint8_t command, const uint8_t *data, uint8_t length)
{
    uint16_t crc = crcByte(crcByte(0, command), length);

    for (uint8_t i = 0; i < length; i++)
        crc = crcByte(crc, data[i]);
    return crc;
}

static bool RemoteC__setLabel(const uint8_t *data, uint8_t length)
{
#ifdef FIXED
    if (length > LABEL_SIZE)
        return false;
#endif
    RemoteC__past += length > LABEL_SIZE ? length - LABEL_SIZE : 0;
    for (uint8_t i = 0; i < length; i++)
        RemoteC__label[i] = data[i];    // BUG: it may be longer than a label
    RemoteC__labelSize = length;
    return true;
}

static bool RemoteC__obey(uint8_t command, const uint8_t *data, uint8_t length)
{
    switch (command) {
    case SET_LEDS:
        if (length != 1)
            return false;
        LedsP__set(data[0]);
        return true;
    case SET_PERIOD:
        if (length != 1 || data[0] == 0)
            return false;
        RemoteC__period = data[0];
        RemoteC__reportLater();
        return true;
    case SET_LABEL:
        return RemoteC__setLabel(data, length);
    }
    return false;
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const command_t *got = (const command_t *)message->data;

    if (nx_get8(&message->header.type) != AM_COMMAND)
        return message;

    uint8_t command = nx_get8(&got->command);
    uint8_t dataLength = nx_get8(&got->length);

    if (length >= sizeof *got && dataLength == length - sizeof *got &&
        RemoteC__check(command, got->data, dataLength) == nx_get16(&got->check) && RemoteC__obey(command, got->data, dataLength))
        RemoteC__obeyed++;
    else
        RemoteC__refused++;
    return message;
}
