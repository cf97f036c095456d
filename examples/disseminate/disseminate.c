// Disseminate: values that all motes agree on, each with a version; the newest
// spreads to everyone.
//
// What one must see: there are four values of 16 bits, with keys 0 to 3, all 0 in
// the beginning. Five seconds after mote 0 starts, and then every 20 seconds, it
// gives key 0 a new value, from 1 up. Any value is set by a serial frame to mote 0
// with an active message of type 96 that holds the key (8 bits) and the value (16,
// high byte first):
//
//   7E 45 00 00 00 00 00 03 22 60 key value value crc crc 7E
//
// Soon every mote that a path leads to has it. The LEDs show the lowest bits of
// key 0. When nothing is new, motes talk less and less, down to a message for
// each key every four seconds (16 on a Mica2), shared among neighbours. A mote
// that was out of reach or rebooted has the newest values within about that time
// after it is back. On the air it is active messages of type 96 with key, version
// and value.
#include "kernel.h"
#include "leds.h"
#include "radio.h"
#include "serial.h"
#include "timer.h"
#include "trickle.h"

enum {
    AM_DISSEMINATE = 96,
    SOURCE = 0,
    NUM_KEYS = TRICKLE_KEYS,
    LED_KEY = 0,
    FIRST_INJECTION_MS = 5000,
    INJECTION_MS = 20000,
};

typedef struct {
    nx_uint8_t key;
    nx_uint16_t version;
    nx_uint16_t value;
} disseminate_t;

typedef struct {
    nx_uint8_t key;
    nx_uint16_t value;
} injection_t;

// What is true, for whoever reads the memory of a mote.
struct {
    uint16_t version;
    uint16_t value;
} DisseminateC__values[NUM_KEYS];

uint16_t DisseminateC__injected;     // new values made here
uint16_t DisseminateC__updates;      // new values heard
uint16_t DisseminateC__heardSame;
uint16_t DisseminateC__heardOld;
uint16_t DisseminateC__told;
uint16_t DisseminateC__refused;      // what makes no sense

static message_t DisseminateC__message;
static bool DisseminateC__isSending;
static bool DisseminateC__mustTell[NUM_KEYS];

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
    TrickleC__start();
    if (TOS_NODE_ID == SOURCE) {
        SerialC__start();
        TimerC__startOneShot(DisseminateC__Inject, FIRST_INJECTION_MS);
    }
}

static void DisseminateC__set(uint8_t key, uint16_t version, uint16_t value)
{
    DisseminateC__values[key].version = version;
    DisseminateC__values[key].value = value;
    if (key == LED_KEY)
        LedsP__set(value);
    TrickleC__reset(key);
}

static void DisseminateC__inject(uint8_t key, uint16_t value)
{
    DisseminateC__injected++;
    DisseminateC__set(key, DisseminateC__values[key].version + 1, value);
}

void DisseminateC__Inject__fired(void)
{
    DisseminateC__inject(LED_KEY, DisseminateC__values[LED_KEY].value + 1);
    TimerC__startOneShot(DisseminateC__Inject, INJECTION_MS);
}

message_t *SerialC__receive(message_t *message, uint8_t length)
{
    const injection_t *injection = (const injection_t *)message->data;

    if (nx_get8(&message->header.type) == AM_DISSEMINATE && length == sizeof *injection &&
        nx_get8(&injection->key) < NUM_KEYS)
        DisseminateC__inject(nx_get8(&injection->key), nx_get16(&injection->value));
    else
        DisseminateC__refused++;
    return message;
}

// Nothing is sent to the host.
void SerialC__sendDone(message_t *message)
{
}

void TrickleC__fired(uint8_t key)
{
    DisseminateC__mustTell[key] = true;
    post(DisseminateC__tell);
}

void DisseminateC__tell__runTask(void)
{
    disseminate_t *tell = (disseminate_t *)DisseminateC__message.data;
    uint8_t key = 0;

    while (key < NUM_KEYS && !DisseminateC__mustTell[key])
        key++;
    if (key == NUM_KEYS || DisseminateC__isSending)
        return;
    DisseminateC__mustTell[key] = false;
    nx_set8(&tell->key, key);
    nx_set16(&tell->version, DisseminateC__values[key].version);
    nx_set16(&tell->value, DisseminateC__values[key].value);
    // If the radio would not, there is the next interval.
    if (RadioC__send(TOS_BCAST_ADDR, AM_DISSEMINATE, &DisseminateC__message, sizeof *tell) == SUCCESS)
        DisseminateC__isSending = true;
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    DisseminateC__isSending = false;
    if (error == SUCCESS)
        DisseminateC__told++;
    post(DisseminateC__tell);
}

// Versions wrap. Of two values with the same version, as when mote 0 lost its
// memory and made a new value before it heard of the old ones, the greater is the
// newer, so that all agree on one.
static int16_t DisseminateC__newer(uint8_t key, uint16_t version, uint16_t value)
{
    int16_t newer = version - DisseminateC__values[key].version;

    if (newer != 0)
        return newer;
    return (value > DisseminateC__values[key].value) - (value < DisseminateC__values[key].value);
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const disseminate_t *told = (const disseminate_t *)message->data;
    uint8_t key = nx_get8(&told->key);
    uint16_t version = nx_get16(&told->version);
    uint16_t value = nx_get16(&told->value);

    if (nx_get8(&message->header.type) != AM_DISSEMINATE || length != sizeof *told || key >= NUM_KEYS) {
        DisseminateC__refused++;
        return message;
    }

    int16_t newer = DisseminateC__newer(key, version, value);

    if (newer > 0) {
        DisseminateC__updates++;
        DisseminateC__set(key, version, value);
    } else if (newer < 0) {
        DisseminateC__heardOld++;
        TrickleC__reset(key);
    } else {
        DisseminateC__heardSame++;
        TrickleC__heardSame(key);
    }
    return message;
}
