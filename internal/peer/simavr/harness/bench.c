// simavr's own loop with nothing around it, for timing.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_elf.h>

#include "harness.h"

static void say_nothing(avr_t *avr, const int level, const char *format, va_list ap)
{
	(void)avr;
	(void)level;
	(void)format;
	(void)ap;
}

// bench LIMIT MCU FREQUENCY ELF: runs until the program ends, and prints
// instructions, cycles and the final state. LIMIT is avr_t.run_cycle_limit: 1
// as the stock runner leaves it (and then instructions are counted), more lets
// the core run on to the next cycle timer.
int bench(int argc, char **argv)
{
	elf_firmware_t f = { 0 };
	avr_global_logger_set(say_nothing);
	if (argc != 4 || elf_read_firmware(argv[3], &f) == -1 || f.flashsize == 0) {
		fprintf(stderr, "simavr harness: bench LIMIT MCU FREQUENCY ELF: cannot read the ELF\n");
		return 2;
	}
	avr_t *avr = avr_make_mcu_by_name(*argv[1] ? argv[1] : f.mmcu);
	if (!avr) {
		fprintf(stderr, "simavr harness: simavr does not know the MCU \"%s\"\n", argv[1]);
		return 2;
	}
	avr_init(avr);
	f.frequency = strtoul(argv[2], NULL, 10);
	avr_load_firmware(avr, &f);
	avr->run_cycle_limit = strtoull(argv[0], NULL, 10);
	uint64_t n = 0;
	int state;
	do {
		n += avr->state == cpu_Running;
		state = avr_run(avr);
	} while (state != cpu_Done && state != cpu_Crashed);
	printf("%llu %llu %d\n", avr->run_cycle_limit == 1 ? (unsigned long long)n : 0ull,
	       (unsigned long long)avr->cycle, state);
	return 0;
}
