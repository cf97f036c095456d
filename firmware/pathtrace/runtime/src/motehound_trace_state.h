// Between the tracer's own files: its state, all of it, and what they call of each other.
//
// Events go through three stages, each with little memory, each to be undone exactly by the decoder (study/fieldtrace/record):
//
//   waiting     events as they come, put down by whoever runs, handlers too, and taken where interrupts are on. An ENTER
//               that is followed by its own LEAVE is one CALL (the paper's level 1), and what comes again and again is one
//               element with a count (level 3)
//   history     elements that come as they came before cost nothing: only their number is kept, and written together with
//               the first element that does not (level 2)
//   chunks      bytes on their way to the flash
//
// What comes out are tokens. Their first byte is two numbers, of three bits, the higher ones, and of five:
//
//   run  0..23     run elements as predicted, then the known one with that number
//   run  28        then the one that is predicted, but with a count that is in the next byte
//   run  29        then one that is new: label, path
//   run  30        then one that is new: label, path, count
//   0    31        run elements as predicted, and nothing else yet; the run is a number
//   1    31        a number of events was lost; nothing is predicted
//   2    31        there was a reset before this page, with its cause in the next byte. Nothing is open. 1 in the byte after:
//                  it came when an event was worked on, which may be missing in the page before, or there twice
//   3    31        mh_trace_fault, its reason in the next byte
//   4    31        the clock: the lower 24 bits of its ticks
//   7    31        nothing more in this chunk
//
// A run of 7, if the other is not 31, follows the byte as a number. Numbers have 16 bits and are
// varints, seven bits in a byte, lowest first. A label
// is a varint of proc << 2 | kind; the kind CALL is 3. The path is a varint too, and not there for ENTER.
//
// Known are up to 24 elements, by number. A new one gets the next number, or, when there is none left, the last.
//
// The history is a ring of 48 numbers. What is predicted is a place in it: after an element that was predicted, the next
// place. After a known one, the place behind its latest occurrence that was behind the same number as now, or else behind its
// latest one; if there is none, nothing. After a new one, the same place as before it, even if that now holds the new one. At a
// page's begin nothing is known and nothing predicted.
//
// A header is a mh_header, lowest bytes first. After a reset a new page begins.
//
// A chunk of a page ends in the CRC (CCITT, reflected, initially FFFF, low byte first) of all that is before it in the page
// but other chunks' CRCs. The first begins with the page's header; the last has, before its CRC, a set of the procedures in the page,
// 16 bits, with bit p % 16 for procedure p.
#ifndef MOTEHOUND_TRACE_STATE_H
#define MOTEHOUND_TRACE_STATE_H

#include "motehound_trace_port.h"

enum {
    // Part of the format.
    MH_KNOWN = 24,
    MH_HISTORY = 48,

    MH_PAYLOAD = MH_TRACE_CHUNK - 2,

    MH_MAGIC = 0x4D,
    MH_VERSION = 2,
    MH_HEADER = 10,
    MH_PROC_SET = 2,

    // The longest token, and what must be left in a page before one: itself, a time, and a run alone if it does not fit.
    MH_TOKEN = 11,
    MH_RUN_SIZE = 4,
    MH_RESERVE = MH_TOKEN + 4 + MH_RUN_SIZE,

    MH_OTHER_COUNT = 28,
    MH_NEW = 29,
    MH_NEW_COUNT = 30,
    MH_CONTROL = 31,

    MH_RUN = 0 << 5 | MH_CONTROL,
    MH_LOST = 1 << 5 | MH_CONTROL,
    MH_RESET = 2 << 5 | MH_CONTROL,
    MH_FAULT = 3 << 5 | MH_CONTROL,
    MH_TIME = 4 << 5 | MH_CONTROL,
    MH_PAD = 7 << 5 | MH_CONTROL,

    MH_KIND_CALL = 3,
    MH_NOTHING = 0xFF,
    MH_MISSED = 255,

    // The newest element is not complete before another follows; and if that is an ENTER, the one before it may still be
    // repeated: see mh_wait. Where interrupts are on, these two are left alone, or see mh_miss.
    MH_KEEP = 2,

    // Somebody works on the stages behind waiting; and may write to the flash.
    MH_BUSY = 1,
    MH_BUSY_OPEN = 2,

    // What mh_piece gives when it has worked on an element.
    MH_DID_ELEMENT = 2,
};

#define MH_KEPT_MAGIC 0x6D74

// Every kind of program must leave room for what a byte counts.
typedef char mh_page_fits[(MH_TRACE_CHUNK - 2) * MH_TRACE_CHUNKS - 12 <= 255 && MH_TRACE_CHUNK <= 64 ? 1 : -1];
typedef char mh_chunk_holds_a_token[MH_TRACE_CHUNK - 2 >= 10 + 11 + 4 ? 1 : -1];

// The machine has its lowest byte first, too. Without padding; the time comes before the boot for that.
typedef struct {
    uint8_t magic;
    uint8_t version;      // MH_VERSION * 16 + log2 of the clock's ticks in a second
    uint16_t sequence;
    uint32_t time;        // when the page began
    uint16_t boot;
} mh_header;

typedef struct {
    mh_trace_label label;
    uint8_t count;    // 1 to 254; or MH_MISSED: so many events as path says are missing here
    uint16_t path;
} mh_element;

// What is small comes first: see mh_near.
typedef struct {
    uint16_t magic;    // the rest was kept over a reset

    mh_element *newest;       // of count that wait
    uint8_t count;
    volatile uint8_t busy;    // 0, MH_BUSY or MH_BUSY_OPEN
    uint8_t beat;             // events until the clock is looked at
    uint8_t later;            // elements that may wait where interrupts are on
    uint8_t closed;           // events with interrupts off that came when the last places were taken, since the stages were worked on
    uint8_t calm;             // elements that waited when the mote last rested without sleeping then
    uint8_t kept;             // this run began with a reset that left memory alone
    uint16_t lost;            // events for which there is no room in the chunks

    uint8_t numKnown;
    uint8_t next, length;      // where the next number goes in history, and how many are in it
    uint8_t expect;            // what is predicted: a place in history, or MH_NOTHING
    uint16_t run;              // elements that came as predicted, behind what is settled

    uint8_t fill, filling, full;
    uint8_t settled;    // where the last whole token ends: in the chunk that fills or, if that has fewer bytes, in the one before
    uint8_t given;      // bytes of the one that waits that the flash has
    uint8_t left;       // payload bytes that are left in the page, without the set
    uint8_t timeless;   // this chunk has no time yet
    uint8_t urgent;     // what is there is to be in the flash although the page is not full
    uint8_t committing; // the page that fills in the flash is to be programmed
    uint16_t crcInverse;    // of the chunks of the page that the flash has: 0 before there are any
    uint16_t procs;     // the page's set
    mh_header header;   // of the page that fills, but with the last time that is in it
    uint16_t synced;    // when memory was last empty
    uint16_t page;      // where the next chunk goes in the flash
    uint8_t chunk;

    mh_element waiting[MH_TRACE_WAITING];
    mh_element known[MH_KNOWN];
    uint8_t history[MH_HISTORY];
    // The chunk that fills, and the one before it if full is 1: it waits for the flash.
    uint8_t chunks[2][MH_TRACE_CHUNK];
} mh_trace_state;

extern mh_trace_state mh_trace;

// A pointer that the compiler takes for one to anything: on an AVR, where much of a structure is used, that is less code than
// the address of each part.
#ifdef __GNUC__
#define MH_NEAR(pointer) __asm__("" : "+r"(pointer))
#else
#define MH_NEAR(pointer) ((void)0)
#endif

static inline mh_trace_state *mh_near(void)
{
    mh_trace_state *state = &mh_trace;

    MH_NEAR(state);
    return state;
}

// motehound_trace.c
void mh_work(void);
uint8_t mh_piece(uint8_t keep);
void mh_close(void);
void mh_miss(mh_trace_label label, uint16_t events, mh_trace_flags flags);
void mh_add(mh_trace_label label, uint16_t path, mh_trace_flags flags, uint8_t count);

// motehound_trace_sequence.c
uint16_t mh_complete(const mh_element *element);
uint16_t mh_sum(uint16_t a, uint16_t b);
void mh_lose(uint16_t events);
uint8_t mh_make_room(void);
void mh_put_run(void);
void mh_sync(void);
void mh_forget(void);

// motehound_trace_log.c
uint8_t mh_room(void);
void mh_put(uint8_t byte);
void mh_put_number(uint16_t number);
void mh_put_time(void);
void mh_pad(void);
void mh_open_page(uint32_t now);
void mh_next_page(void);
void mh_leave_page(void);
void mh_settle(void);
void mh_undo(void);
uint8_t mh_store(void);
void mh_save(void);
void mh_recover(void);

#endif
