// The scripted mode: simavr's core, with the driver's peripherals.
//
// Every read of an I/O register takes its value from a log that the driver
// recorded; every write is a plain store. Interrupts, stolen cycles and
// changes that peripherals make to memory are events, each due before the
// instruction with a given number.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum kind { INTERRUPT = 1, CYCLES, POKE, FLASH_WORD, JUMP };

// As on the wire, after the same fields: 16 bytes.
typedef struct {
	uint64_t at;
	uint8_t kind, value;
	uint16_t small;
	uint32_t large;
} event;

typedef struct {
	uint16_t addr;
	uint8_t value;
} io_read;

static event *events;
static size_t event_at, event_n, event_cap;
static io_read *reads;
static size_t read_at, read_n, read_cap;
static char complaint[256];

const char *script_complaint(void) { return complaint[0] ? complaint : NULL; }

#define COMPLAIN(...)                                              \
	do {                                                       \
		if (!complaint[0])                                 \
			snprintf(complaint, sizeof complaint, __VA_ARGS__); \
	} while (0)

static uint8_t from_log(avr_t *avr, avr_io_addr_t addr, void *param)
{
	(void)param;
	// SBI and CBI read the register only to write it back, which the
	// hardware need not do: such a read takes nothing from the log.
	uint8_t high = avr->flash[avr->pc + 1];
	if (high == 0x98 || high == 0x9a)
		return avr->data[addr];
	if (read_at == read_n) {
		COMPLAIN("instruction %llu at 0x%x reads I/O 0x%x: the log has no more reads",
			 (unsigned long long)program_count(), avr->pc, addr);
		return 0;
	}
	io_read r = reads[read_at++];
	if (r.addr != addr)
		COMPLAIN("instruction %llu at 0x%x reads I/O 0x%x: the log has a read of 0x%x next",
			 (unsigned long long)program_count(), avr->pc, addr, r.addr);
	return r.value;
}

void script_reset(avr_t *avr)
{
	event_at = event_n = read_at = read_n = 0;
	complaint[0] = 0;
	// What the core itself keeps stays plain memory.
	for (unsigned a = 0x20; a <= avr->ioend && a < 31 + MAX_IOs; a++)
		if (a != R_SREG && a != R_SPL && a != R_SPH && a != avr->rampz && a != avr->eind)
			avr_register_io_read(avr, a, from_log, NULL);
}

static void *room(void *p, size_t *cap, size_t need, size_t each)
{
	if (need > *cap) {
		*cap = need * 2;
		p = realloc(p, *cap * each);
		if (!p) {
			perror("simavr harness: script");
			exit(1);
		}
	}
	return p;
}

void script_append(request *q)
{
	uint32_t nr = get32(q), ne = get32(q);
	const uint8_t *r = get_bytes(q, 3 * (size_t)nr);
	const uint8_t *e = get_bytes(q, sizeof(event) * (size_t)ne);
	if (q->short_read || q->p != q->end) {
		fail("script: malformed request");
		return;
	}
	reads = room(reads, &read_cap, read_n + nr + 1, sizeof *reads);
	memmove(reads, reads + read_at, (read_n - read_at) * sizeof *reads);
	read_n -= read_at;
	read_at = 0;
	for (uint32_t i = 0; i < nr; i++, r += 3)
		reads[read_n++] = (io_read){ r[0] | r[1] << 8, r[2] };
	events = room(events, &event_cap, event_n + ne + 1, sizeof *events);
	memmove(events, events + event_at, (event_n - event_at) * sizeof *events);
	event_n -= event_at;
	event_at = 0;
	memcpy(events + event_n, e, ne * sizeof *events);
	event_n += ne;
}

static void apply(avr_t *avr, const event *e)
{
	switch (e->kind) {
	case INTERRUPT:
		_avr_push_addr(avr, avr->pc);
		avr->sreg[S_I] = 0;
		avr->pc = e->large;
		avr->cycle += e->small;
		break;
	case CYCLES:
		avr->cycle += e->large;
		break;
	case POKE:
		if (e->small == R_SREG)
			sreg_unpack(avr, e->value);
		else
			avr->data[e->small] = e->value;
		break;
	case FLASH_WORD:
		if (e->large < avr->flashend) {
			avr->flash[e->large] = e->small;
			avr->flash[e->large + 1] = e->small >> 8;
			break;
		}
		COMPLAIN("event for instruction %llu writes flash at 0x%x, beyond its end",
			 (unsigned long long)e->at, e->large);
		break;
	case JUMP:
		avr->pc = e->large;
		break;
	default:
		COMPLAIN("event for instruction %llu has the unknown kind %d", (unsigned long long)e->at, e->kind);
	}
	avr->interrupt_state = 0;
}

void script_due(avr_t *avr, uint64_t index)
{
	while (event_at < event_n && events[event_at].at <= index) {
		const event *e = &events[event_at++];
		if (e->at < index)
			COMPLAIN("event for instruction %llu came after it had run", (unsigned long long)e->at);
		apply(avr, e);
	}
}
