/* Purpose: a list is walked past its end. */
#include <stdint.h>
volatile uint8_t in = 4;

struct item { struct item *next; uint8_t v; } items[3];
struct item *volatile head;
volatile uint8_t out;
int main(void)
{
    for (uint8_t i = 0; i < 3; i++) { items[i].next = i < 2 ? &items[i + 1] : 0; items[i].v = i; }
    head = items;
    uint8_t s = 0;
    struct item *p = head;
    for (uint8_t i = 0; i < in; i++) {
        s += p->v; // want null
        p = p->next; // may null
    }
    out = s;
    return 0;
}
