// Making simavr machines that survive what random tests do to them.
//
// avr_init allocates exactly RAMEND+1 and FLASHEND+4 bytes, while the core
// stores to any 16-bit address (after logging a crash) and LPM/ELPM read at
// any 16- or 24-bit one. So both arrays are replaced by ones that span the
// whole range; flash beyond FLASHEND reads as 0xff.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness.h"

uint32_t log_invalid_opcode, log_bad_address;

static void logger(avr_t *avr, const int level, const char *format, va_list ap)
{
	(void)avr;
	(void)ap;
	if (level > LOG_ERROR)
		return;
	if (strstr(format, "Invalid Opcode"))
		log_invalid_opcode++;
	else if (strstr(format, "Invalid read") || strstr(format, "Invalid write"))
		log_bad_address++;
}

static void no_sleep(avr_t *avr, avr_cycle_count_t how_long)
{
	(void)avr;
	(void)how_long;
}

// The flash is one mapping, made once: 16 MiB of 0xff is too slow to make for
// every load, and machine_new needs only the chip's own part to be clean.
static uint8_t *flash_space(void)
{
	static uint8_t *flash;
	if (!flash) {
		flash = mmap(NULL, FLASH_SPACE + 4, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (flash == MAP_FAILED) {
			perror("simavr harness: mapping the flash");
			exit(1);
		}
		memset(flash, 0xff, FLASH_SPACE + 4);
	}
	return flash;
}

avr_t *machine_new(const char *mcu)
{
	avr_global_logger_set(logger);
	avr_t *avr = avr_make_mcu_by_name(mcu);
	if (!avr) {
		fail("simavr does not know the MCU \"%s\"", mcu);
		return NULL;
	}
	avr_init(avr);
	uint8_t *data = calloc(1, DATA_SPACE + 1);
	if (!data) {
		perror("simavr harness: data space");
		exit(1);
	}
	memcpy(data, avr->data, avr->ramend + 1);
	free(avr->data);
	avr->data = data;
	free(avr->flash);
	avr->flash = flash_space();
	memset(avr->flash, 0xff, avr->flashend + 1);
	avr->sleep = no_sleep;
	log_invalid_opcode = log_bad_address = 0;
	return avr;
}

// machine_unhook leaves a bare core: I/O registers are plain memory, no
// peripheral hears of WDR or SPM, no interrupt and no cycle timer exists.
void machine_unhook(avr_t *avr)
{
	uint8_t sp[2] = { avr->data[R_SPL], avr->data[R_SPH] };
	memset(avr->io, 0, sizeof avr->io);
	avr->io_shared_io_count = 0;
	avr->io_port = NULL;
	avr->interrupts.vector_count = 0;
	avr_interrupt_reset(avr);
	avr_cycle_timer_reset(avr);
	memset(avr->data + 0x20, 0, avr->ioend - 0x20 + 1);
	avr->data[R_SPL] = sp[0];
	avr->data[R_SPH] = sp[1];
}

// Peripherals keep allocations that only avr_terminate knows of, and it frees
// the flash too. Loads are few: what is left behind is a few KiB for each.
void machine_free(avr_t *avr)
{
	if (!avr)
		return;
	avr->flash = NULL;
	avr_terminate(avr);
	free(avr);
}

void put_info(const avr_t *avr)
{
	put16(avr->ioend);
	put16(avr->ramend);
	put32(avr->flashend);
	put16(avr->rampz);
	put16(avr->eind);
	put8(avr->address_size);
	put8(avr->vector_size);
	put32(avr->frequency);
}
