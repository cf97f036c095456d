// A calculator: a line such as (1+2)*3 comes in on the serial port, and the low byte of its value is the answer.
//
// The bug: every ( calls expression again, and nothing bounds how deep that goes. A line of them fills the memory with stack.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>
#include <stdlib.h>

static char line[100];
static volatile uint8_t length, complete;
static const char *at;

ISR(USART_RX_vect) {
	char c = UDR0;
	if (c == '\n')
		complete = 1;
	else if (!complete && length < sizeof line - 1)
		line[length++] = c;
}

static int expression(uint8_t depth) {
	char digits[20] = "";
	uint8_t n = 0;
	int v;
#ifdef FIXED
	if (depth == 16)
		return 0;
#endif
	if (*at == '(') {
		at++;
		v = expression(depth + 1); // BUG: as deep as the input says
		if (*at == ')')
			at++;
	} else {
		while (*at >= '0' && *at <= '9' && n < sizeof digits - 1)
			digits[n++] = *at++;
		v = atoi(digits);
	}
	if (*at == '+')
		return at++, v + expression(depth + 1);
	return *at == '*' ? at++, v * expression(depth + 1) : v;
}

int main(void) {
	UBRR0 = 103; // 9600 baud at 16 MHz
	UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
	sei();
	for (;;) {
		sleep_mode();
		if (!complete)
			continue;
		line[length] = 0;
		at = line;
		UDR0 = expression(0);
		length = complete = 0;
	}
}
