// A vector tells all versions. It is wanted when a neighbour differs, and told when the
// sender is free.
#include "dhv.h"

// What comes in a round in which a vector waits, in this order.
enum { HEARD, FIRED, PASSED_OVER, NUM_STEPS };

enum {
    PATIENCE = 8,    // rounds
    INSISTS = NUM_STEPS * PATIENCE - 1,
};

static uint8_t VectorP__step;    // how much has come, in all rounds; 0 if no vector waits

// What is true, for whoever reads the memory of a mote.
uint16_t VectorP__told;
uint16_t VectorP__waited;         // vectors that were wanted while the radio had a message
uint16_t VectorP__passedOver;     // how often a value went first
uint16_t VectorP__throughNull;    // vectors written to where there is no message

// What comes out of order ends the waiting.
static void VectorP__comes(uint8_t what)
{
    VectorP__step = VectorP__step % NUM_STEPS == what && VectorP__step < INSISTS ? VectorP__step + 1 : 0;
}

static void VectorP__tell(vector_t *vector)
{
    VectorP__step = 0;
    VectorP__throughNull += vector == NULL;
    nx_set8(&vector->kind, MSG_VECTOR);
    for (uint8_t key = 0; key < NUM_KEYS; key++)
        nx_set8(&vector->versions[key], DhvC__versions[key]);
    if (SenderP__send(sizeof *vector) == SUCCESS)
        VectorP__told++;
}

void VectorP__heard(void)
{
    if (VectorP__step == 0)
        return;
    if (SenderP__isBusy)
        VectorP__comes(HEARD);
    else
        VectorP__step = 0;
}

void VectorP__fired(void)
{
    if (VectorP__step > 0)
        VectorP__comes(FIRED);
}

void VectorP__want(void)
{
    if (VectorP__step > 0)
        return;
    if (SenderP__isBusy) {
        VectorP__waited++;
        VectorP__comes(HEARD);
        return;
    }
    VectorP__tell(SenderP__payload(sizeof(vector_t)));
}

void VectorP__next(void)
{
    if (VectorP__step == 0)
        return;
#ifdef FIXED
    if (SenderP__isBusy) {
#else
    if (SenderP__isBusy && VectorP__step < INSISTS) {
#endif
        VectorP__passedOver++;
        VectorP__comes(PASSED_OVER);
        return;
    }
    VectorP__tell(SenderP__payload(sizeof(vector_t)));    // BUG: who insists may be passed over, too
}
