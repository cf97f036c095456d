/* Purpose: structs and numbers seen as bytes, with folded offsets and from their ends. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 6;
uint8_t a0[9];
struct head { uint16_t from, to; uint8_t seq, type; } h0;
uint8_t a1[5];
uint32_t n1;
uint16_t w1[4];
struct head h1;
uint16_t w2[7];
uint32_t n2;
uint8_t a2[12];
volatile uint8_t out;
__attribute__((noinline)) void put(uint8_t c) { out += c; }
#define FORWARD(x, k) for (uint8_t i = k; i < sizeof x + k; i++) put(((uint8_t *)&x)[i - k])
#define BACK(x) do { uint8_t *p = (uint8_t *)(&x + 1), n = sizeof x; while (n--) put(*--p); } while (0)
#define TURNED(x) for (uint8_t i = 0; i < sizeof x; i++) put(((uint8_t *)&x)[sizeof x - 1 - i])
int main(void)
{
    FORWARD(h0, 1); FORWARD(n1, 2); FORWARD(h1, 3); FORWARD(n2, 5); FORWARD(w1, 1); FORWARD(w2, 3);
    BACK(h0); BACK(n1); BACK(h1); BACK(n2); BACK(w1); BACK(w2); BACK(a0); BACK(a1);
    TURNED(h0); TURNED(n1); TURNED(h1); TURNED(n2); TURNED(w1); TURNED(w2);
    ((uint8_t *)&h0)[in - 4] = ((uint8_t *)&h1)[in - 1] = ((uint8_t *)w2)[in + 1] = ((uint8_t *)&n2)[in - 3] = in;
    a0[in] = a1[in - 4] = a2[in] = out;
    return a0[in] + a1[in - 2] + a2[in + 1];
}
