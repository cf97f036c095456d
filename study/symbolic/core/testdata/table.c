/* CRC-16/MODBUS of two unknown bytes, by a table of 256 numbers: in flash, or with WHERE=1 in SRAM. */
#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdint.h>
#include "motehound.h"

#define BIT(x, n, v) (((x) >> (n)) & 1 ? (v) : 0)
#define ENTRY(x) (BIT(x, 0, 0xC0C1) ^ BIT(x, 1, 0xC181) ^ BIT(x, 2, 0xC301) ^ BIT(x, 3, 0xC601) ^ BIT(x, 4, 0xCC01) ^ BIT(x, 5, 0xD801) ^ \
	BIT(x, 6, 0xF001) ^ BIT(x, 7, 0xA001))
#define FOUR(x) ENTRY(x), ENTRY((x) + 1), ENTRY((x) + 2), ENTRY((x) + 3)
#define SIXTEEN(x) FOUR(x), FOUR((x) + 4), FOUR((x) + 8), FOUR((x) + 12)
#define SIXTY_FOUR(x) SIXTEEN(x), SIXTEEN((x) + 16), SIXTEEN((x) + 32), SIXTEEN((x) + 48)
#define ALL SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)

#if WHERE
uint16_t table[256] = {ALL};
#define AT(i) table[i]
#else
static const uint16_t table[256] PROGMEM = {ALL};
#define AT(i) pgm_read_word(&table[i])
#endif

uint8_t in[2];
volatile uint16_t crc;

__attribute__((noinline)) static uint16_t crc16(const uint8_t *p, uint8_t n) {
	uint16_t c = 0xFFFF;
	while (n--) c = (c >> 8) ^ AT((uint8_t)(c ^ *p++));
	return c;
}

int main(void) {
	mh_symbolic(in, 2, "in");
	crc = crc16(in, 2);
	mh_assert(crc != SUM);
	cli();
	sleep_enable();
	sleep_cpu();
	for (;;)
		;
}
