/* Purpose: a loop reads two elements too many. */
#include <stdint.h>
volatile uint8_t in = 10;

uint8_t table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
uint8_t more[32] = {9};
volatile uint16_t out;
int main(void)
{
    uint16_t sum = 0;
    for (uint8_t i = 0; i < in; i++) sum += table[i]; // want bounds table
    for (uint8_t i = 0; i < 32; i++) sum += more[i];
    out = sum;
    return 0;
}
