// Purpose: INT0's senses: level, any change, falling, rising; how often, and that a low level holds the request
// Datasheet: 2467X Table 48 (any change is reserved for INT3:0); 2549Q Table 15-1; DS40002061A Table 13-2
// Chips: all
// Pad: INT0 high
// On: MARK rise 1 +100: low INT0
// On: MARK rise 1 +400: high INT0
// On: MARK rise 1 +700: low INT0
// On: MARK rise 1 +1300: high INT0
// Case: falling: sense=2 => served INT0 x2; var flag == 0
// Case: rising: sense=3 => served INT0 x1; var flag == 1
// Case[atmega1281 atmega2560 atmega328p]: any change: sense=1 => served INT0 x3; var flag == 1
// Case: low level: sense=0 => var many == 1; var flag == 0
#include "chip.h"

CONFIG uint8_t sense;
volatile uint8_t flag, n, many;

ISR(INT0_vect)
{
	n++;
}

int main(void)
{
	OUTPUT(PAD_MARK);
	EICRA = sense;
	EIFR = 0xFF;
	EIMSK = 1;
	sei();
	MARK_UP();
	WAIT(900);
	cli();
	EIMSK = 0;
	WAIT(600); /* the last rise is remembered in EIFR */
	many = n > 10;
	EIFR = 0; /* writing zeros clears nothing */
	flag = EIFR & 1;
	DONE();
}
