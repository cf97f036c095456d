// How good links are. Before data goes over a link its beacons tell: what part of
// them is heard is what part gets through one way, and with the way back squared.
// Later the data itself tells.
#include "collect.h"
#include "timer.h"

enum {
    // Until a window of beacons has been seen.
    GUESS = 3 * COST_ONE,

    BEACON_WINDOW = 5,
    DATA_WINDOW = 5,

    // More missed in a row than this: it rebooted, or was away.
    MAX_MISSED = 10,

    // Where more failures make no difference.
    MAX_FAILURES = 64,

    SILENT_S = 8 * (TRICKLE_HIGH_MS / 1024),
};

neighbour_t EstimatorP__neighbours[NUM_NEIGHBOURS];

void EstimatorP__start(void)
{
    for (uint8_t i = 0; i < NUM_NEIGHBOURS; i++)
        EstimatorP__neighbours[i].id = NO_MOTE;
}

static uint16_t EstimatorP__seconds(void)
{
    return TimerC__getNow() / 1024;
}

static neighbour_t *EstimatorP__find(am_addr_t id)
{
    for (uint8_t i = 0; i < NUM_NEIGHBOURS; i++)
        if (EstimatorP__neighbours[i].id == id)
            return &EstimatorP__neighbours[i];
    return NULL;
}

static uint16_t EstimatorP__total(const neighbour_t *neighbour)
{
    if (neighbour->pathCost >= COST_NONE - neighbour->linkCost)
        return COST_NONE;
    return neighbour->pathCost + neighbour->linkCost;
}

// A free place, or that of the neighbour whose path is the worst, if ours is better.
static neighbour_t *EstimatorP__place(uint16_t pathCost, am_addr_t keep)
{
    neighbour_t *worst = EstimatorP__find(NO_MOTE);

    if (worst != NULL)
        return worst;
    for (uint8_t i = 0; i < NUM_NEIGHBOURS; i++) {
        neighbour_t *neighbour = &EstimatorP__neighbours[i];

        if (neighbour->id != keep && (worst == NULL || EstimatorP__total(neighbour) > EstimatorP__total(worst)))
            worst = neighbour;
    }
    if (pathCost >= COST_NONE - GUESS || pathCost + GUESS >= EstimatorP__total(worst))
        return NULL;
    return worst;
}

static void EstimatorP__openWindow(neighbour_t *neighbour)
{
    neighbour->beacons = 0;
    neighbour->missed = 0;
}

static neighbour_t *EstimatorP__add(am_addr_t id, uint16_t pathCost, am_addr_t keep)
{
    neighbour_t *neighbour = EstimatorP__place(pathCost, keep);

    if (neighbour == NULL)
        return NULL;
    EstimatorP__openWindow(neighbour);
    neighbour->id = id;
    neighbour->linkCost = GUESS;
    neighbour->attempts = 0;
    neighbour->acked = 0;
    neighbour->failures = 0;
    neighbour->isMature = false;
    return neighbour;
}

static void EstimatorP__blend(neighbour_t *neighbour, uint16_t fresh)
{
    if (neighbour->isMature)
        neighbour->linkCost = (7 * neighbour->linkCost + fresh) / 8;
    else
        neighbour->linkCost = fresh;
    neighbour->isMature = true;
}

static void EstimatorP__countBeacon(neighbour_t *neighbour, uint8_t number)
{
    uint8_t missed = number - neighbour->number - 1;

    if (missed > MAX_MISSED) {
        EstimatorP__openWindow(neighbour);
        return;
    }
    neighbour->beacons++;
    neighbour->missed += missed;

    uint8_t all = neighbour->beacons + neighbour->missed;

    if (all >= BEACON_WINDOW) {
        EstimatorP__blend(neighbour, COST_ONE * all * all / (neighbour->beacons * neighbour->beacons));
        EstimatorP__openWindow(neighbour);
    }
}

neighbour_t *EstimatorP__heard(am_addr_t id, uint8_t number, uint16_t pathCost, am_addr_t keep)
{
    neighbour_t *neighbour = EstimatorP__find(id);

    if (neighbour != NULL)
        EstimatorP__countBeacon(neighbour, number);
    else
        neighbour = EstimatorP__add(id, pathCost, keep);
    if (neighbour == NULL)
        return NULL;
    neighbour->number = number;
    neighbour->heardAt = EstimatorP__seconds();
    return neighbour;
}

// A link that carries nothing any more costs as much as it has failed in a row, so
// that its cost rises with every window.
void EstimatorP__sent(am_addr_t id, bool wasAcked)
{
    neighbour_t *neighbour = EstimatorP__find(id);

    if (neighbour == NULL)
        return;
    neighbour->attempts++;
    if (wasAcked) {
        neighbour->acked++;
        neighbour->failures = 0;
    } else if (neighbour->failures < MAX_FAILURES) {
        neighbour->failures++;
    }
    if (neighbour->attempts < DATA_WINDOW)
        return;
    EstimatorP__blend(neighbour, neighbour->acked > 0 ? COST_ONE * neighbour->attempts / neighbour->acked
                                                      : COST_ONE * neighbour->failures);
    neighbour->attempts = 0;
    neighbour->acked = 0;
}

void EstimatorP__age(void)
{
    uint16_t now = EstimatorP__seconds();

    for (uint8_t i = 0; i < NUM_NEIGHBOURS; i++)
        if ((uint16_t)(now - EstimatorP__neighbours[i].heardAt) > SILENT_S)
            EstimatorP__neighbours[i].id = NO_MOTE;
}
