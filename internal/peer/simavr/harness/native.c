// The native mode: simavr's own peripherals, with what leaves the chip kept.

#include <stdlib.h>
#include <string.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>

#include "harness.h"

enum kind { UART = 1, PORT, DDR };

typedef struct {
	uint64_t cycle;
	uint8_t kind, unit, value;
} output;

static output *outputs;
static size_t output_n, output_cap;
static avr_t *attached;

static void record(struct avr_irq_t *irq, uint32_t value, void *param)
{
	(void)irq;
	uintptr_t who = (uintptr_t)param;
	if (output_n == output_cap) {
		output_cap = output_cap ? 2 * output_cap : 1024;
		outputs = realloc(outputs, output_cap * sizeof *outputs);
		if (!outputs)
			abort();
	}
	outputs[output_n++] = (output){ attached->cycle, who >> 8, who, value };
}

static void watch(avr_irq_t *irq, enum kind kind, uint8_t unit)
{
	if (irq)
		avr_irq_register_notify(irq, record, (void *)(uintptr_t)(kind << 8 | unit));
}

void native_attach(avr_t *avr)
{
	attached = avr;
	output_n = 0;
	for (char u = '0'; u <= '3'; u++) {
		// By default simavr prints what is sent, and sleeps in real time
		// when a program polls.
		uint32_t flags = 0;
		avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS(u), &flags);
		watch(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(u), UART_IRQ_OUTPUT), UART, u);
	}
	for (char p = 'A'; p <= 'L'; p++) {
		watch(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(p), IOPORT_IRQ_REG_PORT), PORT, p);
		watch(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(p), IOPORT_IRQ_DIRECTION_ALL), DDR, p);
	}
}

void native_output(void)
{
	for (size_t i = 0; i < output_n; i++) {
		put64(outputs[i].cycle);
		put8(outputs[i].kind);
		put8(outputs[i].unit);
		put8(outputs[i].value);
	}
	output_n = 0;
}

void native_send(avr_t *avr, request *q)
{
	uint8_t unit = get8(q);
	avr_irq_t *in = avr ? avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(unit), UART_IRQ_INPUT) : NULL;
	if (q->short_read || !in) {
		fail("send: the machine has no UART '%c' in native mode", unit);
		return;
	}
	while (q->p < q->end)
		avr_raise_irq(in, get8(q));
}
