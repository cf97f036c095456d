/* purpose: a main whose first instruction is the head of its loop
 * result:  a variable set when main starts is set once */
#include <stdint.h>

uint8_t counter;

int main(void)
{
	__asm__ volatile("1: lds r24, counter\n\tinc r24\n\tsts counter, r24\n\trjmp 1b");
	return 0;
}
