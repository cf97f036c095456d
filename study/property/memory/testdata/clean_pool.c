/* Purpose: a pool of buffers, taken and given back, in a queue of pointers. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 3;

typedef struct { uint8_t header[5]; uint8_t data[28]; uint8_t footer[2]; uint8_t meta[7]; } message_t;
message_t pool[3], own;
message_t *queue[3], *current = &own;
uint8_t free_ = 3, head, size;
__attribute__((noinline)) message_t *swap(message_t *m)
{
    message_t *r = current;
    current = m;
    return r;
}
__attribute__((noinline)) void put(message_t *m) { queue[(head + size++) % 3] = m; }
__attribute__((noinline)) message_t *get(void) { message_t *m = queue[head]; head = (head + 1) % 3; size--; return m; }
volatile uint8_t out;
int main(void)
{
    for (uint8_t i = 0; i < 3; i++) put(&pool[i]);
    for (uint8_t i = 0; i < 20; i++) {
        message_t *m = get();
        for (uint8_t j = 0; j < 28; j++) m->data[j] = i;
        m->meta[6] = in;
        m = swap(m);
        m->footer[1] = m->data[27];
        put(m);
    }
    out = current->data[3];
    return 0;
}
