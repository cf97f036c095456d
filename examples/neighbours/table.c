#include "neighbours.h"

#include "leds.h"

enum {
    MAX_AGE = 8,           // beacons of this mote without one of that
    MAX_QUALITY = 255,
    NEW_QUALITY = 64,
};

// In the order of what they are worth.
enum { FREE, ONE_WAY, BOTH_WAYS };

typedef struct {
    am_addr_t id;
    uint8_t state;
    uint8_t number;     // of its last beacon
    uint8_t quality;    // how many of them come: a moving average
    uint8_t age;
} entry_t;

// What is true, for whoever reads the memory of a mote.
entry_t TableP__entries[NUM_ENTRIES];
uint16_t TableP__evicted;
uint16_t TableP__turnedAway;
uint16_t TableP__past;    // entries used that are none

static entry_t *TableP__find(am_addr_t id)
{
    for (uint8_t i = 0; i < NUM_ENTRIES; i++)
        if (TableP__entries[i].state != FREE && TableP__entries[i].id == id)
            return &TableP__entries[i];
    return NULL;
}

static void TableP__show(void)
{
    uint8_t count = 0;

    for (uint8_t i = 0; i < NUM_ENTRIES; i++)
        count += TableP__entries[i].state == BOTH_WAYS;
    LedsP__set(count);
}

// A free one, or the one that is heard worst. NUM_ENTRIES: none.
static uint8_t TableP__leastWorth(void)
{
    uint8_t least = NUM_ENTRIES;
    uint8_t quality = MAX_QUALITY;

    for (uint8_t i = 0; i < NUM_ENTRIES; i++) {
        const entry_t *entry = &TableP__entries[i];

        if (entry->state == FREE)
            return i;
        if (entry->state == ONE_WAY && entry->quality <= quality) {
            quality = entry->quality;
            least = i;
        }
    }
    return least;
}

static entry_t *TableP__add(am_addr_t id, uint8_t number)
{
    uint8_t index = TableP__leastWorth();

#ifdef FIXED
    if (index == NUM_ENTRIES) {
        TableP__turnedAway++;
        return NULL;
    }
#endif
    TableP__past += index == NUM_ENTRIES;

    entry_t *entry = &TableP__entries[index];

    TableP__evicted += entry->state != FREE;    // BUG: there may be no such entry
    entry->id = id;
    entry->state = ONE_WAY;
    entry->number = number - 1;
    entry->quality = NEW_QUALITY;
    return entry;
}

static bool TableP__lists(const beacon_t *beacon, uint8_t count, am_addr_t id)
{
    for (uint8_t i = 0; i < count; i++)
        if (nx_get16(&beacon->heard[i]) == id)
            return true;
    return false;
}

void TableP__heard(am_addr_t from, const beacon_t *beacon, uint8_t count)
{
    uint8_t number = nx_get8(&beacon->number);
    entry_t *entry = TableP__find(from);

    if (entry == NULL)
        entry = TableP__add(from, number);
    if (entry == NULL)
        return;

    uint8_t missed = number - entry->number - 1;

    entry->quality = missed > 7 ? 0 : entry->quality - entry->quality / 8 + (32 >> missed) - (missed == 0);
    entry->number = number;
    entry->age = 0;
    entry->state = TableP__lists(beacon, count, ActiveMessageAddressC__addr) ? BOTH_WAYS : ONE_WAY;
    TableP__show();
}

void TableP__age(void)
{
    for (uint8_t i = 0; i < NUM_ENTRIES; i++)
        if (TableP__entries[i].state != FREE && ++TableP__entries[i].age > MAX_AGE)
            TableP__entries[i].state = FREE;
    TableP__show();
}

uint8_t TableP__list(nx_uint16_t *heard)
{
    uint8_t count = 0;

    for (uint8_t i = 0; i < NUM_ENTRIES; i++)
        if (TableP__entries[i].state != FREE)
            nx_set16(&heard[count++], TableP__entries[i].id);
    return count;
}
