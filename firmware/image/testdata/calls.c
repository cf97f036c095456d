/* Inlining several levels deep, locals in registers and on the stack, location
 * lists, a function that the linker drops, clones. */
typedef unsigned char uint8_t;
volatile uint8_t port, pin;
int total = 1;

static inline uint8_t sample(uint8_t channel)
{
    uint8_t raw = pin;
    return raw ^ channel;
}

static inline __attribute__((always_inline)) int scale(uint8_t channel, int by)
{
    int wide = sample(channel);
    if (wide > 100)
        wide -= sample(channel + 1);
    return wide * by;
}

__attribute__((noinline)) int average(int weight, long bias)
{
    uint8_t history[8];
    int sum = 0;
    for (uint8_t i = 0; i < 8; i++) {
        int term = scale(i, weight);
        history[i] = term;
        sum += term + port;
    }
    __asm__ volatile("" : : "p"(history) : "memory");
    return sum / (int)bias + history[weight & 7];
}

__attribute__((noinline)) static int clamp(int value, const int *limit)
{
    if (value > *limit)
        value = *limit;
    total += value;
    return value;
}

int dropped(int a)
{
    return scale(a, total);
}

int main(void)
{
    static const int limit = 500;
    for (;;) {
        int v = average(3, 4L);
        port = clamp(v, &limit);
        port = scale(2, total);
    }
}
