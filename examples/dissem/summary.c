// Where do two motes differ? A summary is the hash of the versions in a range of keys.
// Who has another hash for it doubts those keys more, and tells one of a range half as
// long: so the range narrows down, by turns, to the key.
#include "dissem.h"

typedef struct {
    uint8_t left;
    uint8_t right;
} range_t;

// How many keys a summary is about, by the doubt of the one most in doubt; half of the
// one before, rounded up.
static const uint8_t SummaryP__lengths[DOUBT_VERSION] = { NUM_KEYS, 7, 4, 2 };

uint8_t SummaryP__doubts[NUM_KEYS];

// What is true, for whoever reads the memory of a mote.
uint16_t SummaryP__told;
uint16_t SummaryP__past;           // doubts and versions read that are none
uint16_t SummaryP__throughNull;    // summaries written to where there is no message

uint8_t SummaryP__mostInDoubt(void)
{
    uint8_t most = 0;

    for (uint8_t key = 1; key < NUM_KEYS; key++)
        if (SummaryP__doubts[key] > SummaryP__doubts[most])
            most = key;
    return most;
}

static uint8_t SummaryP__doubtOf(uint8_t key)
{
    SummaryP__past += key >= NUM_KEYS;
    return SummaryP__doubts[key];
}

// FNV-1a's way of mixing, with 16 bits.
static uint16_t SummaryP__hash(range_t range)
{
    uint16_t hash = 0x811D;

    for (uint8_t key = range.left; key < range.right; key++) {
        SummaryP__past += key >= NUM_KEYS;
        hash = (hash ^ DissemC__versions[key]) * 0x0193;
    }
    return hash;
}

// Behind the last key that can be in a range with that one.
static uint8_t SummaryP__end(uint8_t key, uint8_t first, uint8_t length)
{
    if (BUG == RIGHT_END)
        return first + length > NUM_KEYS ? NUM_KEYS : key + length;    // BUG: the wrong sum is compared
    return key + length > NUM_KEYS ? NUM_KEYS : key + length;
}

static uint16_t SummaryP__sum(uint8_t first, uint8_t length)
{
    uint16_t sum = 0;

    for (uint8_t i = 0; i < length; i++)
        sum += SummaryP__doubts[first + i];
    return sum;
}

// Of the ranges of that length that have the key, the one most in doubt, the leftmost
// of them: from one to the next, a key leaves on the left and one comes in on the
// right.
static range_t SummaryP__around(uint8_t key, uint8_t length)
{
    uint8_t first = key + 1 > length ? key + 1 - length : 0;
    uint8_t end = SummaryP__end(key, first, length);
    uint8_t last = end - (BUG == LAST_STEP ? 0 : 1);    // BUG: one step too many
    uint16_t sum = SummaryP__sum(first, length);
    uint16_t most = sum;
    uint8_t left = BUG == REST_OF_RANGE ? key : first;    // BUG: fewer than length keys may be left

    for (uint8_t i = first; i + length <= last; i++) {
        sum += SummaryP__doubtOf(i + length) - SummaryP__doubtOf(i);
        if (sum > most) {
            most = sum;
            left = i + 1;
        }
    }
    return (range_t){ left, left + length };
}

static range_t SummaryP__next(void)
{
    uint8_t key = SummaryP__mostInDoubt();

    if (SummaryP__doubts[key] == 0)
        return (range_t){ 0, NUM_KEYS };
    return SummaryP__around(key, SummaryP__lengths[SummaryP__doubts[key]]);
}

// What was told is less in doubt: who knows better will say so.
static void SummaryP__calm(range_t range)
{
    for (uint8_t key = range.left; key < range.right && key < NUM_KEYS; key++)
        if (SummaryP__doubts[key] > 0)
            SummaryP__doubts[key]--;
}

void SummaryP__send(void)
{
    summary_t *summary = SenderP__payload(sizeof *summary);
    range_t range = SummaryP__next();

    if (BUG != NULL_PAYLOAD && summary == NULL)    // BUG: NULL is not looked for
        return;
    SummaryP__throughNull += summary == NULL;
    nx_set8(&summary->kind, MSG_SUMMARY);
    nx_set8(&summary->left, range.left);
    nx_set8(&summary->right, range.right);
    nx_set16(&summary->hash, SummaryP__hash(range));
    if (SenderP__send(sizeof *summary) != SUCCESS)
        return;
    SummaryP__told++;
    SummaryP__calm(range);
}

// By how much a range is in doubt whose hashes differ: the next summary is of a shorter
// one.
static uint8_t SummaryP__doubtFor(range_t range)
{
    uint8_t doubt = 0;

    while (doubt < DOUBT_VERSION && SummaryP__lengths[doubt] >= range.right - range.left)
        doubt++;
    return doubt;
}

bool SummaryP__heard(const summary_t *summary)
{
    range_t range = { nx_get8(&summary->left), nx_get8(&summary->right) };

    if (range.left >= range.right || range.right > NUM_KEYS)
        return true;

    bool isSame = SummaryP__hash(range) == nx_get16(&summary->hash);
    uint8_t doubt = isSame ? 0 : SummaryP__doubtFor(range);

    for (uint8_t key = range.left; key < range.right; key++)
        if (isSame || SummaryP__doubts[key] < doubt)
            SummaryP__doubts[key] = doubt;
    return isSame;
}
