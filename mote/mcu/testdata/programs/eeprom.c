// Purpose: EEPROM: write, read back, the ready interrupt, the time it takes, the CPU halted, the window of EEMPE
// Datasheet: 2467X "EEPROM Data Memory" (8.5 ms), 2549Q section 8.3 (3.4 ms), DS40002061A section 8.4 (3.4 ms): the CPU is halted four cycles by a
//   read and two by a write; EEPE must follow EEMPE within four cycles
// Chips: all
// Expect: bytes back == 0x5A 0xC3
// Expect: eeprom 100 == 5A C3 FF
// Expect: eeprom 200 == FF
// Expect: var erased == 0xFF
// Expect: var busy == 2
// Expect: var blocked == 0x5A
// Expect[atmega128]: var ready == 8500..8520
// Expect[atmega1281 atmega2560 atmega328p]: var ready == 3400..3420
// Expect: bytes halts == 4 2
// Expect: served EE_READY x1
// Simavr: back erased
#include "chip.h"

volatile uint8_t back[2], erased, busy, blocked, halts[2], done;
volatile uint16_t ready;

ISR(EE_READY_vect)
{
	ready = TCNT1;
	done = 1;
	EECR &= (uint8_t)~_BV(EERIE);
}

static uint8_t read(uint16_t at)
{
	EEAR = at;
	EECR |= _BV(EERE);
	return EEDR;
}

static void write(uint16_t at, uint8_t v)
{
	EEAR = at;
	EEDR = v;
	EECR |= _BV(EE_MASTER);
	EECR |= _BV(EE_WRITE);
}

/* TCNT1 before and after an OUT to EECR that halts the CPU: seven cycles apart without a halt (OUT, LDI, LDS...). */
#define TIMED(bits) \
	__asm__ __volatile__("lds %0, %2\n\tout %3, %4\n\tlds %1, %2" : "=&r"(x), "=&r"(y) \
		: "n"(_SFR_MEM_ADDR(TCNT1L)), "I"(_SFR_IO_ADDR(EECR)), "r"((uint8_t)(bits)))

int main(void)
{
	uint8_t x, y;
	erased = read(100);
	write(100, 0x5A);
	busy = EECR & _BV(EE_WRITE);
	while (EECR & _BV(EE_WRITE))
		;
	EEAR = 101;
	EEDR = 0xC3;
	TCCR1B = 2; /* a microsecond */
	TCNT1 = 0;
	write(101, 0xC3);
	EECR |= _BV(EERIE);
	sei();
	while (!done)
		;
	back[0] = read(100);
	back[1] = read(101);

	/* EEPE too late: nothing is written. */
	EEAR = 200;
	EEDR = 0;
	EECR |= _BV(EE_MASTER);
	WAIT(5);
	EECR |= _BV(EE_WRITE);
	WAIT(100);

	TCCR1B = 1;
	cli();
	TIMED(0);
	uint8_t plain = y - x;
	EEAR = 100;
	TIMED(_BV(EERE));
	halts[0] = y - x - plain;
	EEAR = 102;
	EEDR = 0xFF;
	__asm__ __volatile__("out %3, %5\n\tlds %0, %2\n\tout %3, %4\n\tlds %1, %2" : "=&r"(x), "=&r"(y)
		: "n"(_SFR_MEM_ADDR(TCNT1L)), "I"(_SFR_IO_ADDR(EECR)), "r"((uint8_t)(_BV(EE_WRITE) | _BV(EE_MASTER))), "r"((uint8_t)_BV(EE_MASTER)));
	halts[1] = y - x - plain;
	while (EECR & _BV(EE_WRITE))
		;
	blocked = read(100);
	DONE();
}
