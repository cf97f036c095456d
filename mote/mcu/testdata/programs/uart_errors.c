// Purpose: what the receiver makes of bad characters: parity, framing, overrun, a wrong rate, multi-processor addresses
// Datasheet: 2467X "Receiver Error Flags", "Multi-processor Communication Mode"; 2549Q sections 22.7.4, 22.7.5, 22.9; DS40002061A sections 20.7.4,
//   20.7.5, 20.9. FE is bit 4 of UCSRA, DOR bit 3, UPE bit 2
// Chips: all
// On: MARK rise 1 +100: send 0 8O1 55
// On: MARK rise 2 +100: send 0 8N1 break 00
// On: MARK rise 3 +100: send 0 8N1 31 32 33 34
// On: MARK rise 4 +100: send 0 8N1 103% A5
// On: MARK rise 5 +100: send 0 8N1 120% F5
// On: MARK rise 6 +100: send 0 9N1 ninth 77
// On: MARK rise 6 +9000: send 0 9N1 78
// Expect: bytes data == 0x55 0x00 0x31 0x32 0x34 0xA5
// Expect: bytes status == 4 0x10 0 0 8 0
// Expect: var wrong == 1
// Expect: bytes addressed == 0x77 2
// Expect: var quiet == 0
#include "chip.h"

volatile uint8_t data[6], status[6], wrong, addressed[2], quiet;
static uint8_t n;

static void take(void)
{
	status[n] = UCSR0A & (_BV(FE0) | _BV(DOR0) | _BV(UPE0));
	data[n++] = UDR0;
}

static void listen(uint8_t c)
{
	UCSR0C = c;
	UCSR0B = _BV(RXEN0);
	MARK_UP();
	MARK_DOWN();
	WAIT(12000);
}

int main(void)
{
	OUTPUT(PAD_MARK);
	UBRR0L = 12;
	listen(0x26); /* 8E1 */
	take();
	UCSR0B = 0;
	listen(0x06);
	take();
	UCSR0B = 0;
	listen(0x06);
	take();
	take();
	take();
	UCSR0B = 0;
	listen(0x06);
	take();
	UCSR0B = 0;
	listen(0x06);
	wrong = (UCSR0A & _BV(FE0)) != 0 || UDR0 != 0xF5;
	UCSR0B = 0;
	UCSR0A = _BV(MPCM0);
	UCSR0C = 0x06;
	UCSR0B = _BV(RXEN0) | _BV(UCSZ02);
	MARK_UP();
	MARK_DOWN();
	WAIT(5000);
	addressed[1] = UCSR0B & _BV(RXB80);
	addressed[0] = UDR0;
	WAIT(12000); /* 0x78 without the ninth bit is for others */
	quiet = UCSR0A & _BV(RXC0);
	DONE();
}
