/* Purpose: one frame that is larger than what is left. */
#include <stdint.h>
#include <avr/io.h>
volatile uint8_t in = 10;

uint8_t ballast[RAMEND - 1350];
uint8_t work(uint8_t n) __attribute__((noinline));
uint8_t work(uint8_t n) { volatile uint8_t t[1200]; t[n] = 1; return t[n]; } int main(void) { ballast[in] = 1; return work(in); } // want stack
