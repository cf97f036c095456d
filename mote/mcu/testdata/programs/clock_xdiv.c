// Purpose: XDIV divides CPU, timers and USART by 129 - d; the factor cannot be changed while XDIVEN is set
// Datasheet: 2467X "XTAL Divide Control Register - XDIV". By 129 a character takes 10*16*13*129*125 ns, of which we lose 27 to a
//   frequency in whole hertz
// Chips: atmega128
// Case: off: xdiv=0x79 => uart 0 nanoseconds 10*16*13*125; spans MARK 1000*125; spans OC1A 100*125 100*125; var back == 0
// Case: by 8: xdiv=0xF9 => uart 0 nanoseconds 10*16*13*1000; spans MARK 1000*1000; spans OC1A 100*1000 100*1000; var back == 0xF9
// Case: by 129: xdiv=0x80 => uart 0 nanoseconds 33539900..33540000; spans MARK 1000*129*125; var back == 0x80
#include "chip.h"

CONFIG uint8_t xdiv;
volatile uint8_t back;

int main(void)
{
	OUTPUT(PAD_MARK);
	OUTPUT(PAD_OC1A);
	XDIV = xdiv;
	if (xdiv & 0x80)
		XDIV = 0x80 | 0x7F; /* rejected */
	back = XDIV;
	UBRR0L = 12;
	UCSR0B = _BV(TXEN0);
	UDR0 = 0x41;
	MARK_UP();
	WAIT(999);
	MARK_DOWN();
	OCR1A = 99;
	TCCR1A = _BV(COM1A0);
	TCCR1B = _BV(WGM12) | 1;
	WAIT(350);
	while (!(UCSR0A & _BV(TXC0)))
		;
	DONE();
}
