/* Purpose: a row too many of a matrix. */
#include <stdint.h>
volatile uint8_t in = 4;

uint8_t matrix[3][5];
uint8_t rest[40];
int main(void)
{
    for (uint8_t i = 0; i < in; i++)
        for (uint8_t j = 0; j < 5; j++) matrix[i][j] = i + j; // want bounds matrix
    rest[in] = 1;
    return rest[in];
}
