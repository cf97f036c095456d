// Which links are good. A link is mature, so that reports may go over it, when enough
// is known of it: from beacons, of which some come and some are missed, or from a
// report that was acknowledged.
#include "orphan.h"

enum {
    WINDOW = 4,
    MAX_FAILURES = 5,

    // More missed in a row than this: it rebooted, or was away.
    MAX_MISSED = 10,
};

neighbour_t EstimatorP__neighbours[NUM_NEIGHBOURS];

void EstimatorP__start(void)
{
    for (uint8_t i = 0; i < NUM_NEIGHBOURS; i++)
        EstimatorP__neighbours[i].id = NO_MOTE;
}

static neighbour_t *EstimatorP__find(am_addr_t id)
{
    for (uint8_t i = 0; i < NUM_NEIGHBOURS; i++)
        if (EstimatorP__neighbours[i].id == id)
            return &EstimatorP__neighbours[i];
    return NULL;
}

static void EstimatorP__openWindow(neighbour_t *neighbour)
{
    neighbour->heard = 0;
    neighbour->missed = 0;
}

static neighbour_t *EstimatorP__add(am_addr_t id)
{
    neighbour_t *neighbour = EstimatorP__find(NO_MOTE);

    if (neighbour == NULL)
        return NULL;
    EstimatorP__openWindow(neighbour);
    neighbour->id = id;
    neighbour->failures = 0;
    neighbour->isMature = false;
    return neighbour;
}

static bool EstimatorP__isWindowFull(const neighbour_t *neighbour)
{
#ifdef FIXED
    return neighbour->heard + neighbour->missed >= WINDOW;
#else
    return neighbour->missed >= WINDOW;    // BUG: a good link misses none
#endif
}

static void EstimatorP__countBeacon(neighbour_t *neighbour, uint8_t number)
{
    uint8_t missed = number - neighbour->number - 1;

    if (missed > MAX_MISSED) {
        EstimatorP__openWindow(neighbour);
        return;
    }
    if (neighbour->heard < UINT8_MAX)
        neighbour->heard++;
    neighbour->missed += missed;
    if (!EstimatorP__isWindowFull(neighbour))
        return;
    neighbour->isMature = neighbour->heard >= neighbour->missed;
    EstimatorP__openWindow(neighbour);
}

neighbour_t *EstimatorP__heard(am_addr_t id, uint8_t number)
{
    neighbour_t *neighbour = EstimatorP__find(id);

    if (neighbour != NULL)
        EstimatorP__countBeacon(neighbour, number);
    else
        neighbour = EstimatorP__add(id);
    if (neighbour != NULL)
        neighbour->number = number;
    return neighbour;
}

void EstimatorP__sent(am_addr_t id, bool wasAcked)
{
    neighbour_t *neighbour = EstimatorP__find(id);

    if (neighbour == NULL)
        return;
    if (wasAcked) {
        neighbour->failures = 0;
        neighbour->isMature = true;
    } else if (++neighbour->failures == MAX_FAILURES) {
        neighbour->id = NO_MOTE;
    }
}
