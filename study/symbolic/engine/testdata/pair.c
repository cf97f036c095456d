/* Motes that count, each at its own pace, and come to a place now and then. */
#include <avr/io.h>
#include <stdint.h>

volatile uint16_t TOS_NODE_ID = 1;
volatile uint16_t count;

__attribute__((noinline)) static void place(void) { __asm__ volatile(""); }

int main(void) {
	for (;;) {
		count++;
		for (volatile uint8_t i = 0; i < TOS_NODE_ID; i++)
			;
		if (count % 8 == 0) place();
	}
}
