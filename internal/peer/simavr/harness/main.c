#include <stdio.h>
#include <string.h>

#include <simavr/sim_core_config.h>

#include "harness.h"

static void serve(int op, request *q)
{
	switch (op) {
	case OP_CASES_OPEN:
		cases_open(q);
		break;
	case OP_CASES_RUN:
		cases_run(q);
		break;
	case OP_LOAD:
		program_load(q);
		break;
	case OP_RUN:
		program_run(q);
		break;
	case OP_TRACE:
		program_trace(q);
		break;
	case OP_STATE:
		program_state();
		break;
	case OP_SET_STATE:
		program_set_state(q);
		break;
	case OP_READ:
		program_read(q);
		break;
	case OP_WRITE:
		program_write(q);
		break;
	case OP_SCRIPT:
		script_append(q);
		break;
	case OP_OUTPUT:
		native_output();
		break;
	case OP_SEND:
		native_send(program_avr(), q);
		break;
	default:
		fail("unknown operation %d", op);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "bench"))
		return bench(argc - 2, argv + 2);
	if (argc > 1 && !strcmp(argv[1], "version"))
		return puts(CONFIG_SIMAVR_VERSION) < 0;
	request q;
	int op;
	wire_init();
	while (wire_next(&op, &q)) {
		serve(op, &q);
		wire_answer();
	}
	return 0;
}
