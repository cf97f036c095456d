// Versions: values with versions that all motes agree on, for keys that a mote
// subscribes to, with a bug: what comes for a key it does not have is looked up all the
// same (T-Check, IPSN 2010, Table 2, DipVersionP).
//
// What one must see: each mote has a period and a threshold, keys 10 and 20 hex, from
// its boot on, and two seconds later, when its sensor has settled, a calibration, key
// 30 hex. Three seconds after its boot it begins to tell its neighbours of its keys,
// about one a second (a broadcast of type 98 with key, version and value). Every four
// seconds mote 0 changes one of the values, six times in all. Who hears of a newer
// version takes it. The LEDs show the lowest bits of the period.
//
// The bug: VersionsP__indexOf says NUM_KEYS for a key that it does not find, and the
// receiver uses that as an index: it reads VersionsP__entries[NUM_KEYS], which is no
// entry, and may write there. When all motes boot together nobody tells before everyone
// has all three. But a mote that reboots, or boots late, hears of key 30 before it has
// it.
//
// What must be found: the access in VersionsC__heard with index NUM_KEYS.
// VersionsP__past counts them; in the fixed build VersionsC__foreign does, and past
// stays 0.
#include "kernel.h"
#include "leds.h"
#include "radio.h"
#include "random.h"
#include "timer.h"

enum {
    AM_VERSIONS = 98,
    SOURCE = 0,
    NUM_KEYS = 3,
    KEY_PERIOD = 0x10,
    KEY_THRESHOLD = 0x20,
    KEY_CALIBRATION = 0x30,

    SETTLED_MS = 2000,
    FIRST_MS = 3000,
    TELL_MS = 1000,
    CHANGE_MS = 4000,
    NUM_CHANGES = 6,
};

typedef struct {
    nx_uint8_t key;
    nx_uint16_t version;
    nx_uint16_t value;
} versions_t;

typedef struct {
    uint16_t version;
    uint16_t value;
} entry_t;

static uint8_t VersionsP__keys[NUM_KEYS];
static uint8_t VersionsP__numKeys;
static message_t VersionsC__message;
static bool VersionsC__isSending;
static uint8_t VersionsC__turn;    // which key to tell of next,
static uint8_t VersionsC__next;    // and which to change

// What is true, for whoever reads the memory of a mote.
entry_t VersionsP__entries[NUM_KEYS];
uint16_t VersionsP__past;        // entries used that are none
uint16_t VersionsC__foreign;     // messages for keys that this mote does not have, left alone
uint16_t VersionsC__changed;     // values, by mote 0
uint16_t VersionsC__updates;     // newer ones heard
uint16_t VersionsC__told;

static void VersionsP__subscribe(uint8_t key)
{
    VersionsP__keys[VersionsP__numKeys++] = key;
}

static uint8_t VersionsP__indexOf(uint8_t key)
{
    for (uint8_t i = 0; i < VersionsP__numKeys; i++)
        if (VersionsP__keys[i] == key)
            return i;
    return NUM_KEYS;
}

void BootC__booted(void)
{
    VersionsP__subscribe(KEY_PERIOD);
    VersionsP__subscribe(KEY_THRESHOLD);
    TimerC__startOneShot(VersionsC__Settled, SETTLED_MS);
    TimerC__startOneShot(VersionsC__First, FIRST_MS + RandomC__below(TELL_MS));
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS)
        RadioC__start();
}

void VersionsC__Settled__fired(void)
{
    VersionsP__subscribe(KEY_CALIBRATION);
}

// Motes do not keep in step, or those that do not hear each other would always collide.
static void VersionsC__tellLater(void)
{
    TimerC__startOneShot(VersionsC__Tell, TELL_MS * 3 / 4 + RandomC__below(TELL_MS / 2));
}

void VersionsC__First__fired(void)
{
    VersionsC__tellLater();
    if (TOS_NODE_ID == SOURCE)
        TimerC__startPeriodic(VersionsC__Change, CHANGE_MS);
}

static void VersionsC__set(uint8_t index, uint16_t version, uint16_t value)
{
    VersionsP__entries[index].version = version;
    VersionsP__entries[index].value = value;
    if (index == 0)
        LedsP__set(value);
}

void VersionsC__Change__fired(void)
{
    const entry_t *entry = &VersionsP__entries[VersionsC__next];

    VersionsC__changed++;
    VersionsC__set(VersionsC__next, entry->version + 1, entry->value + 1);
    VersionsC__next = (VersionsC__next + 1) % NUM_KEYS;
    if (VersionsC__changed == NUM_CHANGES)
        TimerC__stop(VersionsC__Change);
}

void VersionsC__Tell__fired(void)
{
    versions_t *tell = (versions_t *)VersionsC__message.data;
    uint8_t index = VersionsC__turn;

    VersionsC__tellLater();
    if (VersionsC__isSending)
        return;
    VersionsC__turn = (index + 1) % NUM_KEYS;
    nx_set8(&tell->key, VersionsP__keys[index]);
    nx_set16(&tell->version, VersionsP__entries[index].version);
    nx_set16(&tell->value, VersionsP__entries[index].value);
    if (RadioC__send(TOS_BCAST_ADDR, AM_VERSIONS, &VersionsC__message, sizeof *tell) == SUCCESS)
        VersionsC__isSending = true;
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    VersionsC__isSending = false;
    VersionsC__told++;
}

// Versions wrap.
static void VersionsC__heard(uint8_t key, uint16_t version, uint16_t value)
{
    uint8_t index = VersionsP__indexOf(key);

#ifdef FIXED
    if (index == NUM_KEYS) {
        VersionsC__foreign++;
        return;
    }
#endif
    VersionsP__past += index >= NUM_KEYS;
    if ((int16_t)(version - VersionsP__entries[index].version) <= 0)    // BUG: it may be none
        return;
    VersionsC__updates++;
    VersionsC__set(index, version, value);
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const versions_t *told = (const versions_t *)message->data;

    if (nx_get8(&message->header.type) == AM_VERSIONS && length == sizeof *told)
        VersionsC__heard(nx_get8(&told->key), nx_get16(&told->version), nx_get16(&told->value));
    return message;
}
