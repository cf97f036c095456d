// What the files of dissem know of each other:
//
//   dissem.c    values and their versions, what comes in, what is told next
//   summary.c   ranges of keys and their hashes: where do two motes differ?
//   sender.c    the one message, and the radio
#ifndef DISSEM_H
#define DISSEM_H

#include "radio.h"

// Which of its bugs a build has: -DBUG=...
enum { NO_BUG, NULL_PAYLOAD, LAST_STEP, RIGHT_END, REST_OF_RANGE };

enum {
    NUM_KEYS = 13,

    // How much a key is in doubt: how likely it is that others have another version of
    // it. Up to here, hashes of fewer and fewer keys are told, then its version, then its
    // value.
    DOUBT_VERSION = 4,
    DOUBT_VALUE = 5,
};

enum { MSG_SUMMARY, MSG_VECTOR, MSG_VALUE };

typedef struct {
    nx_uint8_t kind;
    nx_uint8_t left;     // key,
    nx_uint8_t right;    // and the one behind the last
    nx_uint16_t hash;
} summary_t;

typedef struct {
    nx_uint8_t kind;
    nx_uint8_t count;
    struct {
        nx_uint8_t key;
        nx_uint16_t version;
    } entries[];
} vector_t;

typedef struct {
    nx_uint8_t kind;
    nx_uint8_t key;
    nx_uint16_t version;
    nx_uint16_t value;
} value_t;

enum { MAX_ENTRIES = (TOSH_DATA_LENGTH - sizeof(vector_t)) / 3 };

extern uint16_t DissemC__versions[NUM_KEYS];
extern uint8_t SummaryP__doubts[NUM_KEYS];

// The key most in doubt, the first of them.
uint8_t SummaryP__mostInDoubt(void);

// Tells the hash of the keys around that one.
void SummaryP__send(void);

// Another mote told its own. Returns whether they are the same.
bool SummaryP__heard(const summary_t *summary);

extern bool SenderP__isBusy;    // the radio has the message

// Where to put a message of that length. NULL: the radio still has the last one, or it
// is too long.
void *SenderP__payload(uint8_t length);
error_t SenderP__send(uint8_t length);

#endif
