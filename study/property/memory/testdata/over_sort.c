/* Purpose: a sort compares with the element behind the last. */
#include <stdint.h>
volatile uint8_t in = 6;

uint8_t values[6] = {5, 3, 6, 1, 2, 4};
uint8_t rest[30];
#define HIDE(p) asm("" : "+r"(p)) /* the compiler must not know how far it may go */
int main(void)
{
    uint8_t *v = values;
    HIDE(v);
    for (uint8_t n = in; n > 1; n--)
        for (uint8_t i = 0; i < n; i++) {
            uint8_t a = v[i], b = v[i + 1]; // want bounds values
            if (a > b) {
                v[i] = b;
                v[i + 1] = a; // may bounds values
            }
        }
    rest[in] = values[0];
    return rest[in];
}
