// Orphan: motes report to mote 0, the root, along a tree, with a bug: when a mote dies,
// its children stay orphans, however good their links to other motes are (T-Check, IPSN
// 2010, section 5.1.5, after a version of TinyOS's link estimator).
//
// What one must see: each mote broadcasts a beacon (type 16) every second with its
// parent and its hops to the root, and half a second later sends a report (type 17) to
// its parent. LED 0 is on while it has one; LED 2 changes with each report that it
// gets. Reports end at the parent: who has a path is told by the parents alone.
//
// A mote that never had a parent takes the first neighbour with a path, so that it
// joins soon, and then one nearer to the root whose link is mature. A parent that does
// not acknowledge five reports in a row is forgotten, and another one must be mature,
// too.
//
// The bug, in EstimatorP__isWindowFull: beacons make a link mature only after four of
// them were missed. On good links none are, so only the first parent's link ever is
// mature, by its acknowledgements. When the parent dies, its children have no other,
// and hear beacons for ever that would lead them to the root.
//
// What must be found: "all that have a path to the root are in the tree" is violated for
// ever, and the critical transition is the death of the parent (an outage of mote 1 among
// eight motes; of two motes, the root is away for 15 s). In the fixed build they join
// again within about ten seconds.
#include "orphan.h"

#include "leds.h"
#include "random.h"
#include "timer.h"

enum {
    AM_BEACON = 16,
    AM_REPORT = 17,
    HALF_PERIOD_MS = 512 * RADIO_PACE,
};

typedef struct {
    nx_uint16_t parent;
    nx_uint8_t hops;
    nx_uint8_t number;    // counts up, so that who misses one notices
} beacon_t;

typedef struct {
    nx_uint16_t origin;
    nx_uint16_t number;
} report_t;

static message_t OrphanC__message;
static bool OrphanC__isSending;
static bool OrphanC__isReportNext;
static bool OrphanC__hadParent;
static uint8_t OrphanC__beaconNumber;

// What is true, for whoever reads the memory of a mote.
am_addr_t OrphanC__parent = NO_MOTE;
uint8_t OrphanC__hops = MAX_HOPS;
uint16_t OrphanC__lost;        // times that it had a parent no more
uint16_t OrphanC__beacons;     // heard
uint16_t OrphanC__reported;    // acknowledged
uint16_t OrphanC__received;    // reports

void BootC__booted(void)
{
    EstimatorP__start();
    if (TOS_NODE_ID == ROOT)
        OrphanC__hops = 0;
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS)
        RadioC__start();
    else
        TimerC__startOneShot(OrphanC__Phase, RandomC__below(HALF_PERIOD_MS));
}

// Motes that are switched on together do not send together.
void OrphanC__Phase__fired(void)
{
    TimerC__startPeriodic(OrphanC__Timer, HALF_PERIOD_MS);
}

static bool OrphanC__mayBeParent(const neighbour_t *neighbour)
{
    if (neighbour->id == NO_MOTE || neighbour->parent == TOS_NODE_ID || neighbour->hops >= MAX_HOPS - 1)
        return false;
    return neighbour->isMature || neighbour->id == OrphanC__parent || !OrphanC__hadParent;
}

// The nearest to the root, and of those that are as near the parent that it has.
static const neighbour_t *OrphanC__best(void)
{
    const neighbour_t *best = NULL;

    for (uint8_t i = 0; i < NUM_NEIGHBOURS; i++) {
        const neighbour_t *neighbour = &EstimatorP__neighbours[i];

        if (!OrphanC__mayBeParent(neighbour))
            continue;
        if (best == NULL || neighbour->hops < best->hops ||
            (neighbour->hops == best->hops && neighbour->id == OrphanC__parent))
            best = neighbour;
    }
    return best;
}

static void OrphanC__show(void)
{
    LedsP__set((OrphanC__parent != NO_MOTE ? LED0 : 0) | (OrphanC__received & 1 ? LED2 : 0));
}

static void OrphanC__choose(void)
{
    const neighbour_t *best;

    if (TOS_NODE_ID == ROOT)
        return;
    best = OrphanC__best();
    if (best != NULL) {
        OrphanC__hadParent = true;
        OrphanC__parent = best->id;
        OrphanC__hops = best->hops + 1;
    } else {
        OrphanC__lost += OrphanC__parent != NO_MOTE;
        OrphanC__parent = NO_MOTE;
        OrphanC__hops = MAX_HOPS;
    }
    OrphanC__show();
}

static error_t OrphanC__sendBeacon(void)
{
    beacon_t *beacon = (beacon_t *)OrphanC__message.data;

    nx_set16(&beacon->parent, OrphanC__parent);
    nx_set8(&beacon->hops, OrphanC__hops);
    nx_set8(&beacon->number, ++OrphanC__beaconNumber);
    return RadioC__send(TOS_BCAST_ADDR, AM_BEACON, &OrphanC__message, sizeof *beacon);
}

static error_t OrphanC__sendReport(void)
{
    report_t *report = (report_t *)OrphanC__message.data;

    if (OrphanC__parent == NO_MOTE)
        return EOFF;
    nx_set16(&report->origin, TOS_NODE_ID);
    nx_set16(&report->number, OrphanC__reported);
    return RadioC__send(OrphanC__parent, AM_REPORT, &OrphanC__message, sizeof *report);
}

void OrphanC__Timer__fired(void)
{
    error_t error;

    if (OrphanC__isSending)
        return;
    error = OrphanC__isReportNext ? OrphanC__sendReport() : OrphanC__sendBeacon();
    OrphanC__isSending = error == SUCCESS;
    OrphanC__isReportNext = !OrphanC__isReportNext;
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    OrphanC__isSending = false;
    if (nx_get8(&message->header.type) != AM_REPORT || error != SUCCESS)
        return;
    OrphanC__reported += wasAcked;
    EstimatorP__sent(nx_get16(&message->header.dest), wasAcked);
    OrphanC__choose();
}

static void OrphanC__heardBeacon(am_addr_t from, const beacon_t *beacon)
{
    neighbour_t *neighbour = EstimatorP__heard(from, nx_get8(&beacon->number));

    OrphanC__beacons++;
    if (neighbour == NULL)
        return;
    neighbour->parent = nx_get16(&beacon->parent);
    neighbour->hops = nx_get8(&beacon->hops);
    OrphanC__choose();
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    uint8_t type = nx_get8(&message->header.type);

    if (type == AM_BEACON && length == sizeof(beacon_t)) {
        OrphanC__heardBeacon(nx_get16(&message->header.src), (const beacon_t *)message->data);
    } else if (type == AM_REPORT && length == sizeof(report_t)) {
        OrphanC__received++;
        OrphanC__show();
    }
    return message;
}
