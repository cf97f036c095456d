/* Purpose: a loop runs below the first element. */
#include <stdint.h>
volatile uint8_t in = 5;

uint8_t lead[20];
uint8_t stack_[6];
int main(void)
{
    lead[in] = 1;
    for (int8_t i = in; i >= -1; i--) stack_[i] = i; // want bounds stack_
    return lead[in] + stack_[in];
}
