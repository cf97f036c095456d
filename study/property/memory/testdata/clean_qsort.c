/* Purpose: qsort with a comparison function. Nothing is wrong. */
#include <stdint.h>
#include <stdlib.h>
volatile uint8_t in = 9;

int16_t values[9] = {5, -3, 7, 0, 2, 9, -1, 4, 1};
__attribute__((noinline)) int by(const void *a, const void *b) { return *(const int16_t *)a - *(const int16_t *)b; }
volatile int16_t out;
int main(void)
{
    qsort(values, in, sizeof values[0], by);
    out = values[0] + values[in - 1];
    return 0;
}
