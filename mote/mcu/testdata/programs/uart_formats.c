// Purpose: USART0 in all frame formats, every character echoed by the bench: rate, length, data
// Datasheet: 2467X "Frame Formats", "Baud Rate Generation"; 2549Q sections 22.3, 22.4; DS40002061A sections 20.3, 20.4. A bit is 16 (UBRR + 1)
//   cycles, 8 (UBRR + 1) with U2X
// Chips: all
// Echo: 0
// Expect: bytes got == 0x15 0x0A 0x1F 0x00
// Expect: bytes errors == 0 0 0 0
// Case: 5N1: c=0x00 ubrr=25 => uart 0 format 5N1; uart 0 frame 7*416; uart 0 gap 0
// Case: 6N1: c=0x02 ubrr=25 => uart 0 format 6N1; uart 0 frame 8*416
// Case: 7N1: c=0x04 ubrr=25 => uart 0 format 7N1; uart 0 frame 9*416
// Case: 8N1: c=0x06 ubrr=25 => uart 0 format 8N1; uart 0 frame 10*416; uart 0 bytes 15 0A 1F 00
// Case: 5N2: c=0x08 ubrr=25 => uart 0 format 5N2; uart 0 frame 8*416
// Case: 8N2: c=0x0E ubrr=25 => uart 0 format 8N2; uart 0 frame 11*416
// Case: 7E1: c=0x24 ubrr=25 => uart 0 format 7E1; uart 0 frame 10*416
// Case: 8E1: c=0x26 ubrr=25 => uart 0 format 8E1; uart 0 frame 11*416
// Case: 5O1: c=0x30 ubrr=25 => uart 0 format 5O1; uart 0 frame 8*416
// Case: 6E2: c=0x2A ubrr=25 => uart 0 format 6E2; uart 0 frame 10*416
// Case: 8O1: c=0x36 ubrr=25 => uart 0 format 8O1; uart 0 frame 11*416
// Case: 8O2: c=0x3E ubrr=25 => uart 0 format 8O2; uart 0 frame 12*416
// Case: 9N1: c=0x06 b=4 ubrr=25 => uart 0 format 9N1; uart 0 frame 11*416; uart 0 ninth 0 1 0 1; bytes ninth == 0 1 0 1
// Case: 9E2: c=0x2E b=4 ubrr=25 => uart 0 format 9E2; uart 0 frame 13*416; bytes ninth == 0 1 0 1
// Case: double speed: c=0x06 x2=1 ubrr=51 => uart 0 frame 10*416
// Case: as fast as it goes: c=0x06 x2=1 ubrr=0 => uart 0 frame 10*8
// Case: UBRR above 255: c=0x06 ubrr=0x0300 => uart 0 frame 10*16*0x301
#include "chip.h"

CONFIG uint8_t b, c, x2;
CONFIG uint16_t ubrr;
volatile uint8_t got[4], errors[4], ninth[4];
static const uint8_t data[4] = {0x15, 0x0A, 0x1F, 0x00};

int main(void)
{
	uint8_t sent = 0, received = 0;
	UBRR0H = ubrr >> 8;
	UBRR0L = ubrr;
	UCSR0A = x2 ? _BV(U2X0) : 0;
	UCSR0C = c;
	UCSR0B = _BV(RXEN0) | _BV(TXEN0) | b;
	while (received < 4) {
		uint8_t a = UCSR0A;
		if (a & _BV(UDRE0) && sent < 4 && sent < received + 2) {
			UCSR0B = (UCSR0B & ~_BV(TXB80)) | (sent & 1 ? _BV(TXB80) : 0);
			UDR0 = data[sent++];
		}
		if (a & _BV(RXC0)) {
			errors[received] = a & (_BV(FE0) | _BV(DOR0) | _BV(UPE0));
			ninth[received] = UCSR0B >> RXB80 & 1;
			got[received++] = UDR0;
		}
	}
	DONE();
}
