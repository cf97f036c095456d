// Purpose: how long START, an address and STOP take
// Datasheet: 2467X "Bit Rate Generator Unit"; 2549Q section 24.5.2; DS40002061A section 22.5.2: an SCL period is 16 + 2 TWBR 4^TWPS cycles
// Chips: all
// Case: 80 cycles: twbr=32 twps=0 => entry TWI #1 MARK+1+80+4+WIDE; entry TWI #2 PULSE+1+9*80+4+WIDE; var stop == 70..95
// Case: 144 cycles: twbr=16 twps=1 => entry TWI #1 MARK+1+144+4+WIDE; entry TWI #2 PULSE+1+9*144+4+WIDE; var stop == 134..159
#include "chip.h"

CONFIG uint8_t twbr, twps;
volatile uint8_t stop;

ISR(TWI_vect, ISR_NAKED)
{
	/* TWIE off, TWINT left alone */
	__asm__ __volatile__("push r24\n\tldi r24, %0\n\tsts %1, r24\n\tpop r24\n\treti" ::"n"(_BV(TWEN)), "n"(_SFR_MEM_ADDR(TWCR)));
}

int main(void)
{
	OUTPUT(PAD_MARK);
	OUTPUT(PAD_PULSE);
	TWSR = twps;
	TWBR = twbr;
	sei();
	START(TWCR, _BV(TWINT) | _BV(TWEN) | _BV(TWIE) | _BV(TWSTA));
	NOPS(200);
	TWDR = 0xA0;
	__asm__ __volatile__("out %0, %1\n\tsts %2, %3" ::"I"(_SFR_IO_ADDR(PORTC)), "r"((uint8_t)_BV(2)), "n"(_SFR_MEM_ADDR(TWCR)),
		"r"((uint8_t)(_BV(TWINT) | _BV(TWEN) | _BV(TWIE))));
	NOPS(1400);
	TCCR1B = 1;
	TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
	while (TWCR & _BV(TWSTO))
		;
	stop = TCNT1;
	DONE();
}
