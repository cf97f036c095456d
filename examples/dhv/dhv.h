// What the files of dhv know of each other:
//
//   dhv.c       values and their versions, what comes in, what is told next
//   summary.c   the hash of all versions: do two motes differ?
//   vector.c    all versions: where do they differ?
//   sender.c    the one message, and the radio
#ifndef DHV_H
#define DHV_H

#include "radio.h"

enum { NUM_KEYS = 8 };

enum { MSG_SUMMARY, MSG_VECTOR, MSG_VALUE };

typedef struct {
    nx_uint8_t kind;
    nx_uint16_t hash;
} summary_t;

typedef struct {
    nx_uint8_t kind;
    nx_uint8_t versions[NUM_KEYS];
} vector_t;

typedef struct {
    nx_uint8_t kind;
    nx_uint8_t key;
    nx_uint8_t version;
    nx_uint16_t value;
} value_t;

extern uint8_t DhvC__versions[NUM_KEYS];

// Tells the hash.
void SummaryP__send(void);

// Another mote told its own. Returns whether they are the same.
bool SummaryP__heard(const summary_t *summary);

// Someone needs to know all versions: tells them, soon.
void VectorP__want(void);

// The sender was free, but values come first and may have taken it.
void VectorP__next(void);

// What else a vector that waits has to know: Trickle has fired, and another mote is heard.
void VectorP__fired(void);
void VectorP__heard(void);

extern bool SenderP__isBusy;    // the radio has the message

// Where to put a message of that length. NULL: the radio still has the last one, or it
// is too long.
void *SenderP__payload(uint8_t length);
error_t SenderP__send(uint8_t length);

// The radio has sent the message. The app's.
void SenderP__done(void);

#endif
