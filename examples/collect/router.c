// The tree: each mote's parent is the neighbour over which the path to the root
// costs least, and its beacons say what its own path costs. They are sent rarely
// while nothing changes, and soon when something does (as CTP has it; Gnawali et
// al., SenSys 2009).
#include "am_queue.h"
#include "collect.h"
#include "trickle.h"

enum {
    // A longer path is none: it ends the counting upwards of motes that have lost
    // the root and take each other for the way.
    MAX_COST = 64 * COST_ONE,

    // A new parent must be better by this much, or they would change for nothing.
    WORTH_A_CHANGE = COST_ONE * 3 / 2,

    // Others are told when the cost is that much different from what they know.
    WORTH_A_BEACON = 2 * COST_ONE,
};

static message_t RouterP__message;
static uint8_t RouterP__number;
static uint16_t RouterP__toldCost = COST_NONE;

// What is true, for whoever reads the memory of a mote.
am_addr_t RouterP__parentId = NO_MOTE;
uint16_t RouterP__pathCost = COST_NONE;
uint16_t RouterP__parentChanges;
uint16_t RouterP__beaconsSent;
uint16_t RouterP__beaconsHeard;

void RouterP__start(void)
{
    EstimatorP__start();
    if (TOS_NODE_ID == ROOT)
        RouterP__pathCost = 0;
    TrickleC__start();
}

am_addr_t RouterP__parent(void)
{
    return RouterP__parentId;
}

uint16_t RouterP__cost(void)
{
    return RouterP__pathCost;
}

void RouterP__announce(void)
{
    TrickleC__reset(0);
}

// Over a neighbour whose own path is over us there is none.
static uint16_t RouterP__costOver(const neighbour_t *neighbour)
{
    if (neighbour->id == NO_MOTE || neighbour->parent == TOS_NODE_ID || neighbour->pathCost >= MAX_COST)
        return COST_NONE;

    uint16_t cost = neighbour->pathCost + neighbour->linkCost;

    return cost < MAX_COST ? cost : COST_NONE;
}

static void RouterP__choose(void)
{
    am_addr_t best = NO_MOTE;
    uint16_t bestCost = COST_NONE;
    uint16_t currentCost = COST_NONE;

    for (uint8_t i = 0; i < NUM_NEIGHBOURS; i++) {
        const neighbour_t *neighbour = &EstimatorP__neighbours[i];
        uint16_t cost = RouterP__costOver(neighbour);

        if (cost == COST_NONE)
            continue;
        if (neighbour->id == RouterP__parentId)
            currentCost = cost;
        if (cost < bestCost) {
            bestCost = cost;
            best = neighbour->id;
        }
    }
    if (best != RouterP__parentId && (currentCost == COST_NONE || bestCost + WORTH_A_CHANGE < currentCost)) {
        RouterP__parentId = best;
        RouterP__parentChanges++;
        currentCost = bestCost;
    }
    RouterP__pathCost = currentCost;
}

static bool RouterP__isNews(void)
{
    if (RouterP__pathCost == COST_NONE || RouterP__toldCost == COST_NONE)
        return RouterP__pathCost != RouterP__toldCost;
    return RouterP__pathCost > RouterP__toldCost + WORTH_A_BEACON || RouterP__pathCost + WORTH_A_BEACON < RouterP__toldCost;
}

void RouterP__update__runTask(void)
{
    if (TOS_NODE_ID == ROOT)
        return;
    EstimatorP__age();
    RouterP__choose();
    if (RouterP__isNews())
        RouterP__announce();
    if (RouterP__parentId != NO_MOTE)
        post(ForwarderP__forward);
}

void TrickleC__fired(uint8_t key)
{
    collect_beacon_t *beacon = (collect_beacon_t *)RouterP__message.data;

    post(RouterP__update);
    nx_set16(&beacon->parent, RouterP__parentId);
    nx_set16(&beacon->cost, RouterP__pathCost);
    nx_set8(&beacon->number, RouterP__number);
    if (AMQueueP__send(RouterP__Beacon, TOS_BCAST_ADDR, AM_COLLECT_BEACON, &RouterP__message, sizeof *beacon) == SUCCESS) {
        RouterP__number++;
        RouterP__toldCost = RouterP__pathCost;
    }
}

void RouterP__Beacon__sendDone(message_t *message, error_t error, bool wasAcked)
{
    if (error == SUCCESS)
        RouterP__beaconsSent++;
}

// A mote that has no path asks for one with its beacon.
void RouterP__received(am_addr_t from, const collect_beacon_t *beacon)
{
    uint16_t cost = nx_get16(&beacon->cost);
    neighbour_t *neighbour = EstimatorP__heard(from, nx_get8(&beacon->number), cost, RouterP__parentId);

    RouterP__beaconsHeard++;
    if (neighbour != NULL) {
        neighbour->pathCost = cost;
        neighbour->parent = nx_get16(&beacon->parent);
    }
    if (cost == COST_NONE && RouterP__pathCost != COST_NONE)
        RouterP__announce();
    post(RouterP__update);
}
