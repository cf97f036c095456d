/* Purpose: tables in flash. Nothing is wrong. */
#include <stdint.h>
#include <avr/pgmspace.h>
volatile uint8_t in = 5;

const uint8_t squares[] PROGMEM = {0, 1, 4, 9, 16, 25, 36, 49};
const uint16_t words[] PROGMEM = {100, 200, 300, 400};
uint8_t copy[8];
volatile uint16_t out;
int main(void)
{
    memcpy_P(copy, squares, sizeof copy);
    out = pgm_read_byte(&squares[in]) + pgm_read_word(&words[in - 2]) + copy[in];
    return 0;
}
