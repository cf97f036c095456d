// One instruction on one given state, many times.
//
// The core is bare: see machine_unhook. Memory starts each case as the
// background the driver gave, with the case's own bytes on top.

#include <stdlib.h>
#include <string.h>

#include "harness.h"

static avr_t *avr;
static uint8_t *background; // data space between cases
static uint8_t *before;     // data space of the case before it ran

void cases_open(request *q)
{
	char *mcu = get_string(q);
	uint32_t data_len = get32(q), flash_len = get32(q);
	const uint8_t *data = get_bytes(q, data_len), *flash = get_bytes(q, flash_len);
	avr_t *made = NULL;
	if (q->short_read || q->p != q->end)
		fail("open cases: malformed request");
	else
		made = machine_new(mcu);
	free(mcu);
	if (!made)
		return;
	machine_free(avr);
	avr = made;
	machine_unhook(avr);
	if (data_len > DATA_SPACE || flash_len > avr->flashend + 1) {
		fail("open cases: background of %u data and %u flash bytes does not fit", data_len, flash_len);
		return;
	}
	background = realloc(background, DATA_SPACE);
	before = realloc(before, DATA_SPACE);
	memset(background, 0, DATA_SPACE);
	if (data_len)
		memcpy(background, data, data_len);
	memcpy(avr->data, background, DATA_SPACE);
	memcpy(before, background, DATA_SPACE);
	if (flash_len)
		memcpy(avr->flash, flash, flash_len);
	put_info(avr);
}

typedef struct {
	uint32_t addr;
	uint8_t was;
} patch;

static patch flash_patches[2 * 255 + 255];
static int flash_patched;

static bool set_flash(uint32_t addr, uint8_t v)
{
	if (addr > avr->flashend)
		return false;
	flash_patches[flash_patched++] = (patch){ addr, avr->flash[addr] };
	avr->flash[addr] = v;
	return true;
}

static void undo_flash(void)
{
	while (flash_patched) {
		patch *p = &flash_patches[--flash_patched];
		avr->flash[p->addr] = p->was;
	}
}

static bool is_core_register(uint32_t a)
{
	return a < 32 || a == R_SPL || a == R_SPH || a == R_SREG;
}

// Reports and undoes what differs from `before` in [0x20, top).
static uint16_t put_changes(uint32_t top)
{
	uint16_t n = 0;
	for (uint32_t a = 0x20; a < top; a += 64) {
		uint32_t end = a + 64 < top ? a + 64 : top;
		if (!memcmp(avr->data + a, before + a, end - a))
			continue;
		for (uint32_t b = a; b < end; b++) {
			if (avr->data[b] == before[b] || is_core_register(b))
				continue;
			put16(b);
			put8(avr->data[b]);
			avr->data[b] = before[b];
			n++;
		}
	}
	return n;
}

static bool run_case(request *q, uint32_t number)
{
	uint32_t pc = get32(q);
	uint16_t sp = get16(q);
	uint8_t sreg = get8(q), rampz = get8(q), eind = get8(q);
	uint8_t words = get8(q), mem = get8(q), flash = get8(q);
	const uint8_t *r = get_bytes(q, 32);
	const uint8_t *code = get_bytes(q, 2 * words);
	const uint8_t *mems = get_bytes(q, 3 * mem);
	const uint8_t *flashes = get_bytes(q, 5 * flash);
	if (q->short_read) {
		fail("case %u: malformed", number);
		return false;
	}
	if (pc & 1 || pc + 2 * words > avr->flashend + 1) {
		fail("case %u: code of %d words at byte address 0x%x is not in flash (end 0x%x)", number, words, pc, avr->flashend);
		return false;
	}
	for (int i = 0; i < flash; i++) {
		uint32_t a;
		memcpy(&a, flashes + 5 * i, 4);
		if (!set_flash(a, flashes[5 * i + 4])) {
			fail("case %u: flash byte at 0x%x is beyond the end 0x%x", number, a, avr->flashend);
			return false;
		}
	}
	for (int i = 0; i < 2 * words; i++)
		set_flash(pc + i, code[i]);
	for (int i = 0; i < mem; i++) {
		uint16_t a;
		memcpy(&a, mems + 3 * i, 2);
		if (is_core_register(a)) {
			fail("case %u: memory byte at 0x%x: set registers, SP and SREG in their own fields", number, a);
			return false;
		}
		avr->data[a] = before[a] = mems[3 * i + 2];
	}
	if (avr->rampz)
		avr->data[avr->rampz] = before[avr->rampz] = rampz;
	if (avr->eind)
		avr->data[avr->eind] = before[avr->eind] = eind;
	memcpy(avr->data, r, 32);
	avr->data[R_SPL] = sp;
	avr->data[R_SPH] = sp >> 8;
	sreg_unpack(avr, sreg);
	avr->pc = pc;
	avr->cycle = 0;
	avr->state = cpu_Running;
	avr->interrupt_state = 0;
	avr->run_cycle_count = 1;
	log_invalid_opcode = log_bad_address = 0;

	avr->pc = avr_run_one(avr);

	memcpy(put(32), avr->data, 32);
	put8(sreg_pack(avr));
	put8(avr->state);
	put8((log_invalid_opcode ? 1 : 0) | (log_bad_address ? 2 : 0));
	put8(avr->cycle);
	put16(avr->data[R_SPL] | avr->data[R_SPH] << 8);
	put32(avr->pc);
	put16(0);
	uint16_t n = put_changes(log_bad_address ? DATA_SPACE : avr->ramend + 1u);
	memcpy(put(0) - 3 * n - 2, &n, 2);

	undo_flash();
	for (int i = 0; i < mem; i++) {
		uint16_t a;
		memcpy(&a, mems + 3 * i, 2);
		avr->data[a] = before[a] = background[a];
	}
	return true;
}

void cases_run(request *q)
{
	if (!avr) {
		fail("no MCU is open for cases");
		return;
	}
	for (uint32_t i = 0; q->p < q->end; i++)
		if (!run_case(q, i)) {
			undo_flash();
			memcpy(avr->data, background, DATA_SPACE);
			memcpy(before, background, DATA_SPACE);
			return;
		}
}
