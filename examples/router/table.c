// The routes that are known. A route is good for a while after it was learnt, however
// often it is used: what is not asked for again may be gone.
#include "router.h"
#include "timer.h"

enum {
    NUM_ROUTES = 4,
    LIFETIME_MS = 3000,
};

typedef struct {
    bool isKnown;
    am_addr_t destination;
    am_addr_t nextHop;
    uint32_t learntAt;
} route_entry_t;

static route_entry_t TableP__routes[NUM_ROUTES];
static uint8_t TableP__next;    // the entry to be used next for a new destination

static bool TableP__isFresh(const route_entry_t *entry)
{
    return TimerC__getNow() - entry->learntAt < LIFETIME_MS;
}

static route_entry_t *TableP__find(am_addr_t destination)
{
    for (uint8_t i = 0; i < NUM_ROUTES; i++)
        if (TableP__routes[i].isKnown && TableP__routes[i].destination == destination)
            return &TableP__routes[i];
    return NULL;
}

error_t TableP__getRoute(am_addr_t destination, am_addr_t *nextHop)
{
    const route_entry_t *entry = TableP__find(destination);

    if (entry == NULL || !TableP__isFresh(entry)) {
        DiscoveryP__ask(destination);
        return EBUSY;
    }
    *nextHop = entry->nextHop;
    return SUCCESS;
}

void TableP__learn(am_addr_t destination, am_addr_t nextHop)
{
    route_entry_t *entry = TableP__find(destination);

    if (entry == NULL) {
        entry = &TableP__routes[TableP__next];
        TableP__next = (TableP__next + 1) % NUM_ROUTES;
    }
    entry->isKnown = true;
    entry->destination = destination;
    entry->nextHop = nextHop;
    entry->learntAt = TimerC__getNow();
}

void TableP__forget(am_addr_t destination)
{
    route_entry_t *entry = TableP__find(destination);

    if (entry != NULL)
        entry->isKnown = false;
}
