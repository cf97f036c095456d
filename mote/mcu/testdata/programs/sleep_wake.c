// Purpose: which interrupt wakes the chip from which sleep mode: a table of sources and modes
// Datasheet: 2467X Table 17; 2549Q Table 11-1; DS40002061A Table 10-1 "Active Clock Domains and Wake-up Sources in the Different Sleep Modes"
//   (columns: idle, ADC noise reduction, power-down, power-save, standby, extended standby); edges on INT0 need no clock but on the
//   ATmega328P, edges on INT7:4 always do (2467X Tables 48, 50; 2549Q section 15.1; DS40002061A section 13.1)
// Chips: all
// Crystal: 32768
// WakeUp: 1000
// Run: 200000
// Pad: INT0 high
// Pad: AIN0 low
// Pad[atmega128 atmega1281 atmega2560]: INT4 high
// Pad[atmega1281 atmega2560 atmega328p]: PCINT0 low
// On: MARK rise 1 +3000: low INT0
// On[atmega128 atmega1281 atmega2560]: MARK rise 1 +3000: low INT4
// On[atmega1281 atmega2560 atmega328p]: MARK rise 1 +3000: high PCINT0
// On: MARK rise 1 +3000: send 0 55
// On: MARK rise 1 +3000: high AIN0
// On: MARK rise 1 +3000: address 20
// Case: INT0 low level: source=1 mode={0|1|2|3|6|7} => var woke == {1|1|1|1|1|1}
// Case[atmega128 atmega1281 atmega2560]: INT0 edge: source=2 mode={0|1|2|3|6|7} => var woke == {1|1|1|1|1|1}
// Case[atmega328p]: INT0 edge: source=2 mode={0|1|2|3|6|7} => var woke == {1|0|0|0|0|0}
// Case[atmega128 atmega1281 atmega2560]: INT4 edge: source=3 mode={0|1|2|3|6|7} => var woke == {1|0|0|0|0|0}
// Case[atmega128 atmega1281 atmega2560]: INT4 low level: source=4 mode={0|1|2|3|6|7} => var woke == {1|1|1|1|1|1}
// Case[atmega1281 atmega2560 atmega328p]: pin change: source=5 mode={0|1|2|3|6|7} => var woke == {1|1|1|1|1|1}
// Case: timer 1: source=6 mode={0|1|2|3|6|7} => var woke == {1|0|0|0|0|0}
// Case: asynchronous timer: source=7 mode={0|1|2|3|6|7} => var woke == {1|1|0|1|0|1}
// Case[atmega1281 atmega2560 atmega328p]: watchdog: source=8 mode={0|1|2|3|6|7} => var woke == {1|1|1|1|1|1}
// Case: ADC: source=9 mode={0|1|2|3|6|7} => var woke == {1|1|0|0|0|0}
// Case: USART: source=10 mode={0|1|2|3|6|7} => var woke == {1|0|0|0|0|0}
// Case: EEPROM: source=11 mode={0|1|2|3|6|7} => var woke == {1|1|0|0|0|0}
// Case: comparator: source=12 mode={0|1|2|3|6|7} => var woke == {1|0|0|0|0|0}
// Case: TWI address match: source=13 mode={0|1|2|3|6|7} => var woke == {1|1|1|1|1|1}
// Case: nothing: source=0 mode={0|1|2|3|6|7} => var woke == {0|0|0|0|0|0}
// Case: SE is zero: source=0 mode=0x80 => var woke == 1
#include "chip.h"

CONFIG uint8_t source, mode;
volatile uint8_t woke;

ISR(BADISR_vect) /* every source that is no level */
{
}

ISR(INT0_vect)
{
	EIMSK = 0;
}

#ifndef __AVR_ATmega328P__
ISR(INT4_vect)
{
	EIMSK = 0;
}
#endif

ISR(USART0_RX_vect)
{
	UCSR0B = 0;
}

ISR(EE_READY_vect)
{
	EECR = 0;
}

ISR(TWI_vect)
{
	TWCR = 0;
}

static void enable(void)
{
	switch (source) {
	case 1:
		EICRA = 0;
		EIMSK = 1;
		break;
	case 2:
		EICRA = 2;
		EIMSK = 1;
		break;
#ifndef __AVR_ATmega328P__
	case 3:
		EICRB = 2;
		EIMSK = 0x10;
		break;
	case 4:
		EICRB = 0;
		EIMSK = 0x10;
		break;
#endif
#ifndef __AVR_ATmega128__
	case 5:
		PCMSK0 = 1;
		PCICR = 1;
		break;
	case 8:
		__asm__ __volatile__("sts %0, %1\n\tsts %0, %2" ::"n"(_SFR_MEM_ADDR(WDTCSR)), "r"((uint8_t)(_BV(WDCE) | _BV(WDE))), "r"((uint8_t)_BV(WDIE)));
		break;
#endif
	case 6:
		TCNT1 = 0xF000;
		TCCR1B = 1;
		TIMSK1 = _BV(TOIE1);
		break;
	case 7:
		ASSR = _BV(ASYNC_BIT);
		ASYNC_TCNT = 0xF0;
#ifdef __AVR_ATmega128__
		TCCR0 = 1;
#else
		TCCR2B = 1;
#endif
		while (ASSR & ~_BV(ASYNC_BIT))
			;
		ASYNC_FLAGS = 0xFF;
		ASYNC_MASK = _BV(ASYNC_TOIE);
		break;
	case 9:
		ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADIE) | 7;
		break;
	case 10:
		UBRR0L = 12;
		UCSR0B = _BV(RXEN0) | _BV(RXCIE0);
		break;
	case 11:
		EECR |= _BV(EE_MASTER);
		EECR |= _BV(EE_WRITE);
		EECR |= _BV(EERIE);
		break;
	case 12:
		ACSR = _BV(ACIE);
		break;
	case 13:
		TWAR = 0x20;
		TWCR = _BV(TWEA) | _BV(TWEN) | _BV(TWIE);
		break;
	}
}

int main(void)
{
	OUTPUT(PAD_MARK);
	enable();
	MARK_UP();
	SLEEP_REG = mode & 0x80 ? 0 : SLEEP_BITS(mode);
	sei();
	__asm__ __volatile__("sleep");
	woke = 1;
	for (;;)
		;
}
