// Whole programs: load, run, look.

#include <stdlib.h>
#include <string.h>

#include <simavr/sim_elf.h>

#include "harness.h"

enum mode { BARE, NATIVE, SCRIPTED };

// Longer than any watchdog or asynchronous timer takes to overflow.
enum { SLEEP_SECONDS = 100 };

enum stop { STOP_COUNT, STOP_CYCLE, STOP_DONE, STOP_CRASHED, STOP_DEAD_SLEEP };

static avr_t *avr;
static enum mode mode;
static uint64_t count; // instructions since the load
static uint64_t hash;
static avr_cycle_count_t awake_at; // native: the last cycle that ended an instruction

avr_t *program_avr(void) { return avr; }
uint64_t program_count(void) { return count; }

static bool load_elf(const char *path, elf_firmware_t *f)
{
	// elf_read_firmware takes any file at all for an ELF one without sections.
	if (elf_read_firmware(path, f) == -1 || f->flashsize == 0) {
		fail("simavr reads no firmware from \"%s\"", path);
		return false;
	}
	return true;
}

static bool place(elf_firmware_t *f, uint32_t frequency)
{
	if (frequency)
		f->frequency = frequency;
	if (f->flashsize + f->flashbase > avr->flashend + 1) {
		fail("%u bytes at 0x%x do not fit into the %u bytes of flash", f->flashsize, f->flashbase,
		     avr->flashend + 1);
		return false;
	}
	avr_load_firmware(avr, f);
	avr->pc = avr->reset_pc = f->flashbase;
	return true;
}

void program_load(request *q)
{
	elf_firmware_t f = { 0 };
	char *mcu = get_string(q), *elf = get_string(q);
	mode = get8(q);
	uint32_t frequency = get32(q), size = get32(q);
	const uint8_t *flash = get_bytes(q, size);
	machine_free(avr);
	avr = NULL;
	if (q->short_read || q->p != q->end || mode > SCRIPTED) {
		fail("load: malformed request");
		goto out;
	}
	if (*elf && !load_elf(elf, &f))
		goto out;
	if (!*elf) {
		f.flash = malloc(size + 1);
		memcpy(f.flash, flash, size);
		f.flashsize = size;
	}
	avr = machine_new(*mcu ? mcu : f.mmcu);
	if (!avr)
		goto out;
	if (!place(&f, frequency)) {
		machine_free(avr);
		avr = NULL;
		goto out;
	}
	if (mode == NATIVE)
		native_attach(avr);
	else
		machine_unhook(avr);
	if (mode == SCRIPTED)
		script_reset(avr);
	count = 0;
	hash = 0;
	awake_at = 0;
	put_info(avr);
out:
	free(mcu);
	free(elf);
	free(f.flash);
}

static bool loaded(void)
{
	if (!avr)
		fail("no program is loaded");
	return avr != NULL;
}

static inline uint64_t mix(uint64_t h, uint64_t w)
{
	h = (h ^ w) * 0x9e3779b97f4a7c15u;
	return h << 31 | h >> 33;
}

static inline void mix_state(void)
{
	uint64_t r[4], h = hash;
	memcpy(r, avr->data, 32);
	uint64_t sp = avr->data[R_SPL] | avr->data[R_SPH] << 8;
	for (int i = 0; i < 4; i++)
		h = mix(h, r[i]);
	h = mix(h, avr->pc | sp << 32 | (uint64_t)sreg_pack(avr) << 48);
	hash = mix(h, avr->cycle);
}

// step runs one instruction, or one stretch of sleep; it says whether it
// was an instruction. In native mode simavr's own loop then runs its cycle
// timers and enters a pending interrupt, all before the caller samples.
static inline bool step(void)
{
	switch (mode) {
	case BARE:
		avr->pc = avr_run_one(avr);
		break;
	case SCRIPTED:
		script_due(avr, count);
		avr->pc = avr_run_one(avr);
		if (avr->state == cpu_Sleeping)
			avr->state = cpu_Running;
		break;
	case NATIVE: {
		bool ran = avr->state == cpu_Running && avr->run == avr_callback_run_raw;
		avr_run(avr);
		if (!ran)
			return false;
		awake_at = avr->cycle;
	}
	}
	if (avr->state == cpu_Crashed && avr->pc == 0)
		return false; // fetched beyond the flash
	count++;
	return true;
}

// ended says whether the machine can go no further. One that sleeps while
// timers run that will not wake it counts as dead after `patience` cycles.
static inline bool ended(uint8_t *stop, avr_cycle_count_t patience)
{
	if (__builtin_expect(avr->state == cpu_Running, 1))
		return false;
	if (avr->state == cpu_Sleeping && mode == BARE && !avr->sreg[S_I])
		avr->state = cpu_Done;
	switch (avr->state) {
	case cpu_Sleeping:
		*stop = STOP_DEAD_SLEEP;
		return avr->cycle - awake_at > patience ||
		       (!avr->cycle_timers.timer && !avr_has_pending_interrupts(avr));
	case cpu_Done:
		*stop = STOP_DONE;
		return true;
	default:
		*stop = STOP_CRASHED;
		return true;
	}
}

static void put_state(void)
{
	memcpy(put(32), avr->data, 32);
	put8(sreg_pack(avr));
	put8(avr->state);
	put16(avr->data[R_SPL] | avr->data[R_SPH] << 8);
	put32(avr->pc);
	put64(avr->cycle);
	put32(log_invalid_opcode);
	put32(log_bad_address);
}

void program_run(request *q)
{
	uint64_t n = get64(q), until = get64(q), block = get64(q);
	bool hashing = get8(q);
	if (!loaded())
		return;
	if (q->short_read || q->p != q->end || (!n && !until)) {
		fail("run: malformed request");
		return;
	}
	uint64_t start = count, next = block ? start + block : UINT64_MAX;
	uint64_t last = n ? start + n : UINT64_MAX;
	uint8_t stop = STOP_COUNT;
	uint32_t blocks = 0;
	avr_cycle_count_t patience = until ? UINT64_MAX : SLEEP_SECONDS * (uint64_t)avr->frequency;
	put32(0);
	if (!until)
		until = UINT64_MAX;
	while (count < last) {
		if (avr->cycle >= until) {
			stop = STOP_CYCLE;
			break;
		}
		if (ended(&stop, patience))
			break;
		if (!step())
			continue;
		if (hashing)
			mix_state();
		if (count == next) {
			put64(hash);
			blocks++;
			next += block;
		}
		if (mode == SCRIPTED && script_complaint())
			break;
	}
	if (mode == SCRIPTED && script_complaint()) {
		fail("%s", script_complaint());
		return;
	}
	memcpy(put(0) - 8 * blocks - 4, &blocks, 4);
	put8(stop);
	put64(count - start);
	put64(hash);
	put_state();
}

void program_trace(request *q)
{
	uint64_t n = get64(q);
	uint8_t stop;
	if (!loaded())
		return;
	if (q->short_read || q->p != q->end || n > 1 << 20) {
		fail("trace: malformed request");
		return;
	}
	avr_cycle_count_t patience = SLEEP_SECONDS * (uint64_t)avr->frequency;
	for (uint64_t last = count + n; count < last && !ended(&stop, patience);) {
		if (!step())
			continue;
		mix_state();
		put_state();
		if (mode == SCRIPTED && script_complaint()) {
			fail("%s", script_complaint());
			return;
		}
	}
}

void program_state(void)
{
	if (loaded())
		put_state();
}

void program_set_state(request *q)
{
	if (!loaded())
		return;
	const uint8_t *r = get_bytes(q, 32);
	uint8_t sreg = get8(q);
	uint16_t sp = get16(q);
	uint32_t pc = get32(q);
	uint64_t cycle = get64(q);
	if (q->short_read || q->p != q->end) {
		fail("set state: malformed request");
		return;
	}
	memcpy(avr->data, r, 32);
	sreg_unpack(avr, sreg);
	avr->data[R_SPL] = sp;
	avr->data[R_SPH] = sp >> 8;
	avr->pc = pc;
	avr->cycle = cycle;
}

// The part of a memory that a request names, or NULL after a failure.
static uint8_t *memory(uint8_t space, uint32_t addr, uint32_t len)
{
	uint64_t size = space ? avr->flashend + 1u : DATA_SPACE;
	if (addr + (uint64_t)len > size) {
		fail("%u bytes at 0x%x are not in the %s space", len, addr, space ? "flash" : "data");
		return NULL;
	}
	avr->data[R_SREG] = sreg_pack(avr);
	return (space ? avr->flash : avr->data) + addr;
}

void program_read(request *q)
{
	uint8_t space = get8(q);
	uint32_t addr = get32(q), len = get32(q);
	if (!loaded())
		return;
	uint8_t *from = memory(space, addr, len);
	if (from)
		memcpy(put(len), from, len);
}

void program_write(request *q)
{
	uint8_t space = get8(q);
	uint32_t addr = get32(q), len = q->end - q->p;
	if (!loaded())
		return;
	uint8_t *to = memory(space, addr, len);
	if (to)
		memcpy(to, q->p, len);
	sreg_unpack(avr, avr->data[R_SREG]);
}
