// Dhv: eight values with versions that all motes agree on. Where they differ is found
// out in two steps: a summary is a hash of all versions, a vector is all of them (as
// TinyOS's DHV; Dang, Bulusu, Feng and Park, EWSN 2009). The bug takes several coincidences
// in a row.
//
// What one must see: every 300 ms a mote changes the value whose key is its number, and tells
// key, version and value within 64 ms. Who hears it takes it and tells it on. When there
// is nothing to tell, a mote tells a summary, down to once in four seconds, shared among
// neighbours. Who hears another hash than its own tells its vector, and who hears a vector
// tells the values that it has newer. All on the air is broadcasts of type 100. The LEDs
// show the lowest bits of key 0.
//
// The bug: summaries, vectors and values share one message, and values go first. A vector
// that cannot be sent waits, and this is a round that it waits:
//
//   1. Another mote is heard while the radio has the message. (In the first round it asks for
//      the vector.)
//   2. Trickle fires.
//   3. The radio is done, but a value has come due, and goes first.
//
// If something comes in another order, or the radio is in time, then the vector is told, or is given
// up: who needs it asks again. In the eighth round in a row the vector does not let a value
// go first any more. But that has gone already, and the vector is written to where
// SenderP__payload says: NULL.
//
// What must be found: the null pointer in VectorP__tell, called from VectorP__next.
// VectorP__step counts what has come of the rounds, and VectorP__throughNull the bug; that
// stays 0 in the fixed build.
#include "dhv.h"

#include "leds.h"
#include "timer.h"
#include "trickle.h"

enum {
    AM_DHV = 100,
    CHANGE_MS = 300 * RADIO_PACE,
    SHOWN_KEY = 0,
};

static uint8_t DhvC__mustTell;    // a bit for each key

// What is true, for whoever reads the memory of a mote.
uint8_t DhvC__versions[NUM_KEYS];
uint16_t DhvC__values[NUM_KEYS];
uint16_t DhvC__changed;    // values, by this mote
uint16_t DhvC__updates;    // newer ones heard
uint16_t DhvC__told;       // values sent

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
    TimerC__startPeriodic(DhvC__Change, CHANGE_MS);
}

static void DhvC__tell(uint8_t key)
{
    DhvC__mustTell |= 1 << key;
    TrickleC__reset(0);
}

static void DhvC__set(uint8_t key, uint8_t version, uint16_t value)
{
    DhvC__versions[key] = version;
    DhvC__values[key] = value;
    if (key == SHOWN_KEY)
        LedsP__set(value);
    DhvC__tell(key);
}

void DhvC__Change__fired(void)
{
    uint8_t key = TOS_NODE_ID % NUM_KEYS;

    DhvC__changed++;
    DhvC__set(key, DhvC__versions[key] + 1, DhvC__changed);
}

static void DhvC__sendValue(void)
{
    value_t *value = SenderP__payload(sizeof *value);
    uint8_t key = 0;

    if (value == NULL)
        return;
    while (!(DhvC__mustTell >> key & 1))
        key++;
    nx_set8(&value->kind, MSG_VALUE);
    nx_set8(&value->key, key);
    nx_set8(&value->version, DhvC__versions[key]);
    nx_set16(&value->value, DhvC__values[key]);
    if (SenderP__send(sizeof *value) != SUCCESS)
        return;
    DhvC__mustTell &= ~(1 << key);
    DhvC__told++;
}

void TrickleC__fired(uint8_t trickle)
{
    VectorP__fired();
    if (DhvC__mustTell)
        DhvC__sendValue();
    else
        SummaryP__send();
}

// Values first: a vector is told because someone lacks a value, maybe just this one.
void SenderP__done(void)
{
    if (DhvC__mustTell)
        DhvC__sendValue();
    VectorP__next();
}

// Versions wrap.
static void DhvC__heardValue(uint8_t key, uint8_t version, uint16_t value)
{
    int8_t newer = version - DhvC__versions[key];

    if (newer > 0) {
        DhvC__updates++;
        DhvC__set(key, version, value);
    } else if (newer < 0) {
        DhvC__tell(key);
    } else {
        DhvC__mustTell &= ~(1 << key);
    }
}

// Who lacks a value tells its own vector, to be told.
static void DhvC__heardVector(const vector_t *vector)
{
    bool lacks = false;

    for (uint8_t key = 0; key < NUM_KEYS; key++) {
        int8_t newer = nx_get8(&vector->versions[key]) - DhvC__versions[key];

        if (newer < 0)
            DhvC__tell(key);
        lacks |= newer > 0;
    }
    if (lacks)
        VectorP__want();
}

static void DhvC__heardSummary(const summary_t *summary)
{
    if (SummaryP__heard(summary)) {
        TrickleC__heardSame(0);
    } else {
        TrickleC__reset(0);
        VectorP__want();
    }
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const value_t *value = (const value_t *)message->data;
    uint8_t kind = nx_get8(&value->kind);

    if (nx_get8(&message->header.type) != AM_DHV)
        return message;
    VectorP__heard();
    if (kind == MSG_SUMMARY && length == sizeof(summary_t))
        DhvC__heardSummary((const summary_t *)value);
    else if (kind == MSG_VECTOR && length == sizeof(vector_t))
        DhvC__heardVector((const vector_t *)value);
    else if (kind == MSG_VALUE && length == sizeof *value && nx_get8(&value->key) < NUM_KEYS)
        DhvC__heardValue(nx_get8(&value->key), nx_get8(&value->version), nx_get16(&value->value));
    return message;
}
