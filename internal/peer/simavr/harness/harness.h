// The harness: a process that drives libsimavr 1.6 for differential tests.
//
// It reads requests from standard input and answers each on standard output.
// All numbers are little-endian.
//
//   request  = u32 length, u8 op,     body[length-1]
//   answer   = u32 length, u8 status, body[length-1]
//
// Status 0 is success; status 1 means that the body is an error text, after
// which the harness is ready for the next request. simavr itself prints to
// standard output, so the real one is moved away before simavr starts.

#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h> // needs sim_avr.h before it

enum op {
	OP_CASES_OPEN = 1,
	OP_CASES_RUN,
	OP_LOAD,
	OP_RUN,
	OP_TRACE,
	OP_STATE,
	OP_SET_STATE,
	OP_READ,
	OP_WRITE,
	OP_SCRIPT,
	OP_OUTPUT,
	OP_SEND,
};

// Wire: wire.c

typedef struct {
	const uint8_t *p, *end;
	bool short_read; // set when a get ran past the end
} request;

uint8_t get8(request *q);
uint16_t get16(request *q);
uint32_t get32(request *q);
uint64_t get64(request *q);
const uint8_t *get_bytes(request *q, size_t n); // NULL when short
char *get_string(request *q);                   // u16 length, bytes; malloc'd

uint8_t *put(size_t n); // room for n more bytes of the answer
void put8(uint8_t v);
void put16(uint16_t v);
void put32(uint32_t v);
void put64(uint64_t v);

// fail makes the answer an error, in place of what was put so far.
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool failed(void);

void wire_init(void);
int wire_next(int *op, request *q); // 0 at the end of input
void wire_answer(void);

// Machines: machine.c

enum { DATA_SPACE = 0x10000, FLASH_SPACE = 0x1000000 };

// What simavr only says in its log.
extern uint32_t log_invalid_opcode, log_bad_address;

avr_t *machine_new(const char *mcu);
void machine_unhook(avr_t *avr);
void machine_free(avr_t *avr);
void put_info(const avr_t *avr);

static inline uint8_t sreg_pack(const avr_t *avr)
{
	uint64_t bits;
	__builtin_memcpy(&bits, avr->sreg, 8);
	return (bits * 0x0102040810204080u) >> 56;
}

static inline void sreg_unpack(avr_t *avr, uint8_t v)
{
	for (int i = 0; i < 8; i++)
		avr->sreg[i] = (v >> i) & 1;
	avr->data[R_SREG] = v;
}

// Services

void cases_open(request *q);
void cases_run(request *q);

void program_load(request *q);
void program_run(request *q);
void program_trace(request *q);
void program_state(void);
void program_set_state(request *q);
void program_read(request *q);
void program_write(request *q);

// The scripted mode of programs: script.c

void script_reset(avr_t *avr);
void script_append(request *q);
// Applies what is due before instruction number `index`.
void script_due(avr_t *avr, uint64_t index);
// The first disagreement with the log, or NULL.
const char *script_complaint(void);

// The native mode of programs: native.c

void native_attach(avr_t *avr);
void native_output(void);
void native_send(avr_t *avr, request *q);

avr_t *program_avr(void);
uint64_t program_count(void);

int bench(int argc, char **argv);

#endif
