// Dissem: thirteen values with versions that all motes agree on. Motes find out which
// versions differ by hashes of fewer and fewer of them (as DIP does it; Lin and Levis,
// IPSN 2008), with four bugs (T-Check, IPSN 2010, DIP bugs 1 to 3 and what mending them
// brought about).
//
// What one must see: all values are 0 in the beginning. One is set by a serial frame to
// mote 0 with an active message of type 97 that is a value_t (dissem.h), with key 0 to
// 12; its kind and version do not matter. Mote 0 tells it within 32 ms, and everyone
// tells it on. When there is nothing new, a mote tells the hash of all versions, down
// to once in two seconds, shared among neighbours. All on the air is broadcasts of type
// 97. If a frame was lost, or a mote rebooted, hashes differ: then summaries
// (summary.c) narrow it down to a key, a vector tells its version, and who has the
// newer one tells the value. The LEDs show the lowest bits of key 0. A host that sends
// a value that mote 0 has already makes it say soon what it has.
//
// The bugs, one in each of four builds:
//
//   NULL_PAYLOAD   SummaryP__send writes to where SenderP__payload said, even if that was
//                  NULL, because the radio still has the message before. That takes a
//                  radio that is slower than half of Trickle's shortest interval, 16 ms.
//   LAST_STEP      SummaryP__around reads SummaryP__doubts[NUM_KEYS], when the range most
//                  in doubt may end with the last key.
//   RIGHT_END      SummaryP__around reads behind SummaryP__doubts, when the key most in
//                  doubt is among the last, and what it finds there may lead
//                  SummaryP__hash behind DissemC__versions.
//   REST_OF_RANGE  SummaryP__hash reads behind DissemC__versions, when the last key is
//                  more in doubt than those before it.
//
// The last three need versions that differ, so a lost frame or a reboot, and a key in
// the second half. SummaryP__throughNull counts summaries written through NULL,
// SummaryP__past what was read out of bounds; in the fixed build both stay 0.
#include "dissem.h"

#include "leds.h"
#include "serial.h"
#include "timer.h"
#include "trickle.h"

enum {
    AM_DISSEM = 97,
    SOURCE = 0,
    LED_KEY = 0,
};

// What is true, for whoever reads the memory of a mote.
uint16_t DissemC__versions[NUM_KEYS];
uint16_t DissemC__values[NUM_KEYS];
uint16_t DissemC__injected;    // new values, by the host
uint16_t DissemC__updates;     // newer ones heard
uint16_t DissemC__differ;      // times that a hash was another one

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
    if (TOS_NODE_ID == SOURCE)
        SerialC__start();
}

static void DissemC__doubt(uint8_t key, uint8_t doubt)
{
    SummaryP__doubts[key] = doubt;
    TrickleC__reset(0);
}

static void DissemC__set(uint8_t key, uint16_t version, uint16_t value)
{
    DissemC__versions[key] = version;
    DissemC__values[key] = value;
    if (key == LED_KEY)
        LedsP__set(value);
    DissemC__doubt(key, DOUBT_VALUE);
}

message_t *SerialC__receive(message_t *message, uint8_t length)
{
    const value_t *value = (const value_t *)message->data;
    uint8_t key = nx_get8(&value->key);

    if (nx_get8(&message->header.type) != AM_DISSEM || length != sizeof *value || key >= NUM_KEYS)
        return message;
    if (nx_get16(&value->value) == DissemC__values[key]) {
        TrickleC__reset(0);
        return message;
    }
    DissemC__injected++;
    DissemC__set(key, DissemC__versions[key] + 1, nx_get16(&value->value));
    return message;
}

// Nothing is sent to the host.
void SerialC__sendDone(message_t *message)
{
}

static void DissemC__sendValue(uint8_t key)
{
    value_t *value = SenderP__payload(sizeof *value);

    if (value == NULL)
        return;
    nx_set8(&value->kind, MSG_VALUE);
    nx_set8(&value->key, key);
    nx_set16(&value->version, DissemC__versions[key]);
    nx_set16(&value->value, DissemC__values[key]);
    if (SenderP__send(sizeof *value) == SUCCESS)
        SummaryP__doubts[key] = 0;
}

// Of the keys whose version is in doubt, as many as there is room for. What was told is
// less in doubt.
static void DissemC__sendVector(void)
{
    vector_t *vector = SenderP__payload(TOSH_DATA_LENGTH);
    uint8_t count = 0;

    if (vector == NULL)
        return;
    for (uint8_t key = 0; key < NUM_KEYS && count < MAX_ENTRIES; key++) {
        if (SummaryP__doubts[key] != DOUBT_VERSION)
            continue;
        SummaryP__doubts[key]--;
        nx_set8(&vector->entries[count].key, key);
        nx_set16(&vector->entries[count].version, DissemC__versions[key]);
        count++;
    }
    nx_set8(&vector->kind, MSG_VECTOR);
    nx_set8(&vector->count, count);
    SenderP__send(sizeof *vector + count * sizeof vector->entries[0]);
}

// More than one message may be needed soon.
void TrickleC__fired(uint8_t trickle)
{
    uint8_t key = SummaryP__mostInDoubt();

    if (SummaryP__doubts[key] == DOUBT_VALUE)
        DissemC__sendValue(key);
    else if (SummaryP__doubts[key] == DOUBT_VERSION)
        DissemC__sendVector();
    else
        SummaryP__send();
    if (SummaryP__doubts[SummaryP__mostInDoubt()] > 0)
        TrickleC__reset(0);
}

// Who has a value to tell, or is just telling one, knows why the hashes differ.
static void DissemC__heardSummary(const summary_t *summary)
{
    if (SenderP__isBusy || SummaryP__doubts[SummaryP__mostInDoubt()] == DOUBT_VALUE)
        return;
    if (SummaryP__heard(summary)) {
        TrickleC__heardSame(0);
    } else {
        DissemC__differ++;
        TrickleC__reset(0);
    }
}

// Versions wrap. Who has an older one is told the newer value; who hears of a newer
// version tells its own, to be told.
static void DissemC__heardVersion(uint8_t key, uint16_t version)
{
    int16_t newer = version - DissemC__versions[key];

    if (newer > 0)
        DissemC__doubt(key, DOUBT_VERSION);
    else if (newer < 0)
        DissemC__doubt(key, DOUBT_VALUE);
    else
        SummaryP__doubts[key] = 0;
}

static void DissemC__heardVector(const vector_t *vector, uint8_t length)
{
    uint8_t count = nx_get8(&vector->count);

    if (count > MAX_ENTRIES || length != sizeof *vector + count * sizeof vector->entries[0])
        return;
    for (uint8_t i = 0; i < count; i++)
        if (nx_get8(&vector->entries[i].key) < NUM_KEYS)
            DissemC__heardVersion(nx_get8(&vector->entries[i].key), nx_get16(&vector->entries[i].version));
}

static void DissemC__heardValue(const value_t *value)
{
    uint8_t key = nx_get8(&value->key);

    if (key >= NUM_KEYS)
        return;
    if ((int16_t)(nx_get16(&value->version) - DissemC__versions[key]) > 0) {
        DissemC__updates++;
        DissemC__set(key, nx_get16(&value->version), nx_get16(&value->value));
    } else {
        DissemC__heardVersion(key, nx_get16(&value->version));
    }
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const void *data = message->data;
    uint8_t kind = nx_get8(&((const value_t *)data)->kind);

    if (nx_get8(&message->header.type) != AM_DISSEM)
        return message;
    if (kind == MSG_SUMMARY && length == sizeof(summary_t))
        DissemC__heardSummary(data);
    else if (kind == MSG_VECTOR && length >= sizeof(vector_t))
        DissemC__heardVector(data, length);
    else if (kind == MSG_VALUE && length == sizeof(value_t))
        DissemC__heardValue(data);
    return message;
}
