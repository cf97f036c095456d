// Bitvector: 200 values with versions that all motes agree on. Motes find out which
// versions differ by exchanging bits of them, with a bug: a message of another kind has
// a shorter header, and it is that one's size by which the bits are fitted into a
// message (T-Check, IPSN 2010, Table 3, DhvVBitP, after TinyOS's DHV).
//
// What one must see: broadcasts of type 99, many after something changed and one in
// eight seconds (shared among neighbours) otherwise. Every ten seconds mote 0 changes
// one value, four in all, and tells key, version and value. Who hears it takes it and
// tells it on. When there is nothing to tell, a mote tells the hash of all its
// versions. Who has another hash answers with one bit of each version, by turns bit 0
// to 7, and who gets those tells the values whose bits are not as its own. The LEDs
// show the lowest bits of key 0.
//
// The bug, in VECTOR_HEADER: 25 bytes of bits are taken to fit behind the header, where
// there is room for 23. The last two are written past the end of BitvectorC__message;
// who receives the message reads as many past the end of its buffer.
//
// What must be found: the store in BitvectorC__putBits, and the load in
// BitvectorC__compare. Bits are only exchanged when hashes differ: a change was lost, or
// met a hash that was on its way already, or a mote has rebooted. BitvectorC__past counts
// the bytes; it stays 0 in the fixed build, which sends the bits in two messages.
#include "kernel.h"
#include "leds.h"
#include "radio.h"
#include "random.h"
#include "timer.h"
#include "trickle.h"

enum {
    AM_BITVECTOR = 99,
    SOURCE = 0,
    CHANGE_MS = 10000,
    NUM_CHANGES = 4,
    NUM_KEYS = 200,
    NUM_BYTES = NUM_KEYS / 8,
    NUM_PLANES = 8,    // bits of a version

    // Where changes are: all over the keys.
    STRIDE = 67,
};

enum { MSG_HASH, MSG_VECTOR, MSG_VALUE };

typedef struct {
    nx_uint8_t kind;
    nx_uint16_t hash;
} hash_t;

typedef struct {
    nx_uint8_t kind;
    nx_uint16_t hash;
    nx_uint8_t plane;
    nx_uint8_t first;    // byte of the bits
    uint8_t bits[];
} vector_t;

typedef struct {
    nx_uint8_t kind;
    nx_uint8_t key;
    nx_uint8_t version;
    nx_uint8_t value;
} value_t;

enum {
#ifdef FIXED
    VECTOR_HEADER = sizeof(vector_t),
#else
    VECTOR_HEADER = sizeof(hash_t),    // BUG: of another kind of message
#endif
    VECTOR_ROOM = TOSH_DATA_LENGTH - VECTOR_HEADER,
    VECTOR_BYTES = VECTOR_ROOM < NUM_BYTES ? VECTOR_ROOM : NUM_BYTES,
};

static uint8_t BitvectorC__mustTell[NUM_BYTES];    // a bit for each key
static bool BitvectorC__mustCompare;
static uint8_t BitvectorC__plane;
static uint8_t BitvectorC__first;
static message_t BitvectorC__message;
static bool BitvectorC__isSending;

// What is true, for whoever reads the memory of a mote.
uint8_t BitvectorC__versions[NUM_KEYS];
uint8_t BitvectorC__values[NUM_KEYS];
uint16_t BitvectorC__past;        // bytes of bits written or read past the end of a message
uint16_t BitvectorC__changed;     // values, by mote 0
uint16_t BitvectorC__updates;     // newer ones heard
uint16_t BitvectorC__hashes;      // messages sent, by kind
uint16_t BitvectorC__vectors;
uint16_t BitvectorC__told;

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
        TimerC__startPeriodic(BitvectorC__Change, CHANGE_MS);
}

static void BitvectorC__tell(uint8_t key)
{
    BitvectorC__mustTell[key / 8] |= 1 << key % 8;
    TrickleC__reset(0);
}

static void BitvectorC__set(uint8_t key, uint8_t version, uint8_t value)
{
    BitvectorC__versions[key] = version;
    BitvectorC__values[key] = value;
    if (key == 0)
        LedsP__set(value);
    BitvectorC__tell(key);
}

void BitvectorC__Change__fired(void)
{
    uint8_t key = BitvectorC__changed * STRIDE % NUM_KEYS;

    BitvectorC__changed++;
    BitvectorC__set(key, BitvectorC__versions[key] + 1, BitvectorC__changed);
    if (BitvectorC__changed == NUM_CHANGES)
        TimerC__stop(BitvectorC__Change);
}

// Fletcher's, so that it matters which key has which version.
static uint16_t BitvectorC__hash(void)
{
    uint8_t sum = 1, sums = 0;

    for (uint8_t key = 0; key < NUM_KEYS; key++) {
        sum += BitvectorC__versions[key];
        sums += sum;
    }
    return (uint16_t)sums << 8 | sum;
}

static uint8_t BitvectorC__bits(uint8_t byte, uint8_t plane)
{
    uint8_t bits = 0;

    for (uint8_t i = 0; i < 8; i++)
        if (BitvectorC__versions[byte * 8 + i] >> plane & 1)
            bits |= 1 << i;
    return bits;
}

static uint8_t BitvectorC__left(uint8_t first)
{
    return NUM_BYTES - first < VECTOR_BYTES ? NUM_BYTES - first : VECTOR_BYTES;
}

// How many of so many bytes of bits are past the end of a message.
static uint8_t BitvectorC__beyond(uint8_t bytes)
{
    const uint8_t room = TOSH_DATA_LENGTH - sizeof(vector_t);

    return bytes > room ? bytes - room : 0;
}

static void BitvectorC__putBits(uint8_t *to, uint8_t bytes)
{
    BitvectorC__past += BitvectorC__beyond(bytes);
    for (uint8_t i = 0; i < bytes; i++)
        to[i] = BitvectorC__bits(BitvectorC__first + i, BitvectorC__plane);
}

// The next part of the bits: after the last part comes the first one of the next plane.
static uint8_t BitvectorC__makeVector(void)
{
    vector_t *vector = (vector_t *)BitvectorC__message.data;
    uint8_t bytes = BitvectorC__left(BitvectorC__first);

    nx_set8(&vector->kind, MSG_VECTOR);
    nx_set16(&vector->hash, BitvectorC__hash());
    nx_set8(&vector->plane, BitvectorC__plane);
    nx_set8(&vector->first, BitvectorC__first);
    BitvectorC__putBits(vector->bits, bytes);
    BitvectorC__first += bytes;
    if (BitvectorC__first == NUM_BYTES) {
        BitvectorC__first = 0;
        BitvectorC__plane = (BitvectorC__plane + 1) % NUM_PLANES;
        BitvectorC__mustCompare = false;
    }
    BitvectorC__vectors++;
    return VECTOR_HEADER + bytes;
}

static uint8_t BitvectorC__makeValue(uint8_t key)
{
    value_t *value = (value_t *)BitvectorC__message.data;

    BitvectorC__mustTell[key / 8] &= ~(1 << key % 8);
    nx_set8(&value->kind, MSG_VALUE);
    nx_set8(&value->key, key);
    nx_set8(&value->version, BitvectorC__versions[key]);
    nx_set8(&value->value, BitvectorC__values[key]);
    BitvectorC__told++;
    return sizeof *value;
}

static uint8_t BitvectorC__makeHash(void)
{
    hash_t *hash = (hash_t *)BitvectorC__message.data;

    nx_set8(&hash->kind, MSG_HASH);
    nx_set16(&hash->hash, BitvectorC__hash());
    BitvectorC__hashes++;
    return sizeof *hash;
}

// NUM_KEYS: none.
static uint8_t BitvectorC__nextToTell(void)
{
    uint8_t key = 0;

    while (key < NUM_KEYS && !(BitvectorC__mustTell[key / 8] >> key % 8 & 1))
        key++;
    return key;
}

void TrickleC__fired(uint8_t trickle)
{
    uint8_t key = BitvectorC__nextToTell();
    uint8_t length;

    if (BitvectorC__isSending)
        return;
    if (key < NUM_KEYS)
        length = BitvectorC__makeValue(key);
    else if (BitvectorC__mustCompare)
        length = BitvectorC__makeVector();
    else
        length = BitvectorC__makeHash();
    if (RadioC__send(TOS_BCAST_ADDR, AM_BITVECTOR, &BitvectorC__message, length) == SUCCESS)
        BitvectorC__isSending = true;
}

// There may be more to tell than there are turns for it.
void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    BitvectorC__isSending = false;
    if (BitvectorC__mustCompare || BitvectorC__nextToTell() < NUM_KEYS)
        TrickleC__reset(0);
}

// Who has a value to tell, or is just telling one, knows why the hashes differ.
static void BitvectorC__heardHash(uint16_t hash)
{
    if (hash == BitvectorC__hash()) {
        TrickleC__heardSame(0);
        return;
    }
    if (!BitvectorC__isSending && BitvectorC__nextToTell() == NUM_KEYS)
        BitvectorC__mustCompare = true;
    TrickleC__reset(0);
}

static void BitvectorC__compare(const uint8_t *bits, uint8_t first, uint8_t plane, uint8_t bytes)
{
    BitvectorC__past += BitvectorC__beyond(bytes);
    for (uint8_t i = 0; i < bytes; i++) {
        uint8_t differ = bits[i] ^ BitvectorC__bits(first + i, plane);

        for (uint8_t bit = 0; bit < 8; bit++)
            if (differ >> bit & 1)
                BitvectorC__tell((first + i) * 8 + bit);
    }
}

static void BitvectorC__heardVector(const vector_t *vector, uint8_t length)
{
    uint8_t bytes = length - VECTOR_HEADER;
    uint8_t first = nx_get8(&vector->first);
    uint8_t plane = nx_get8(&vector->plane);

    if (first <= NUM_BYTES && bytes <= NUM_BYTES - first && plane < NUM_PLANES)
        BitvectorC__compare(vector->bits, first, plane, bytes);
    BitvectorC__heardHash(nx_get16(&vector->hash));
}

// Versions wrap. Who tells of an old one is told the new one.
static void BitvectorC__heardValue(uint8_t key, uint8_t version, uint8_t value)
{
    int8_t newer = version - BitvectorC__versions[key];

    if (newer > 0) {
        BitvectorC__updates++;
        BitvectorC__set(key, version, value);
    } else if (newer < 0) {
        BitvectorC__tell(key);
    } else {
        BitvectorC__mustTell[key / 8] &= ~(1 << key % 8);
    }
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const value_t *value = (const value_t *)message->data;
    uint8_t kind = nx_get8(&value->kind);

    if (nx_get8(&message->header.type) != AM_BITVECTOR)
        return message;
    if (kind == MSG_HASH && length == sizeof(hash_t))
        BitvectorC__heardHash(nx_get16(&((const hash_t *)value)->hash));
    else if (kind == MSG_VECTOR && length > VECTOR_HEADER)
        BitvectorC__heardVector((const vector_t *)value, length);
    else if (kind == MSG_VALUE && length == sizeof *value && nx_get8(&value->key) < NUM_KEYS)
        BitvectorC__heardValue(nx_get8(&value->key), nx_get8(&value->version), nx_get8(&value->value));
    return message;
}
