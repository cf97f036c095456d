// A vector tells all versions. It is wanted when a neighbour differs, and told when the
// sender is free.
#include "dhv.h"

#include "timer.h"

enum {
    // Who was told a value may have something to say to it first.
    PAUSE_MS = 40 * RADIO_PACE,
};

static enum {
    IDLE,
    WAITING,        // for the radio to have sent what it has
    PASSED_OVER,    // for it to have sent a value, too
    PAUSING,        // for the timer
    INSISTING,      // for the radio once more: the next turn is the vector's
} __attribute__((packed)) VectorP__state;

// What is true, for whoever reads the memory of a mote.
uint16_t VectorP__told;
uint16_t VectorP__waited;         // vectors that were wanted while the radio had a message
uint16_t VectorP__passedOver;     // of those, a value went first
uint16_t VectorP__insisted;       // of those, the radio was busy again
uint16_t VectorP__throughNull;    // vectors written to where there is no message

static void VectorP__tell(vector_t *vector)
{
    VectorP__state = IDLE;
    VectorP__throughNull += vector == NULL;
    nx_set8(&vector->kind, MSG_VECTOR);
    for (uint8_t key = 0; key < NUM_KEYS; key++)
        nx_set8(&vector->versions[key], DhvC__versions[key]);
    if (SenderP__send(sizeof *vector) == SUCCESS)
        VectorP__told++;
}

void VectorP__want(void)
{
    if (VectorP__state != IDLE)
        return;
    if (SenderP__isBusy) {
        VectorP__waited++;
        VectorP__state = WAITING;
        return;
    }
    VectorP__tell(SenderP__payload(sizeof(vector_t)));
}

void VectorP__next(void)
{
    switch (VectorP__state) {
    case WAITING:
    case INSISTING:
#ifdef FIXED
        if (SenderP__isBusy) {
#else
        if (SenderP__isBusy && VectorP__state == WAITING) {
#endif
            VectorP__passedOver++;
            VectorP__state = PASSED_OVER;
            return;
        }
        VectorP__tell(SenderP__payload(sizeof(vector_t)));    // BUG: who insists may be passed over, too
        break;
    case PASSED_OVER:
        VectorP__state = PAUSING;
        TimerC__startOneShot(VectorP__Pause, PAUSE_MS);
        break;
    default:
        break;
    }
}

void VectorP__Pause__fired(void)
{
    vector_t *vector = SenderP__payload(sizeof *vector);

    if (vector == NULL) {
        VectorP__insisted++;
        VectorP__state = INSISTING;
        return;
    }
    VectorP__tell(vector);
}
