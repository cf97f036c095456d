/* Purpose: a struct is found from its member. Nothing is wrong. */
#include <stdint.h>
#include <stddef.h>
volatile uint8_t in = 2;

struct link { struct link *next; };
struct job { uint16_t id; uint8_t state; struct link link; uint8_t extra[3]; } jobs[3];
struct link *head;
volatile uint16_t out;
#define container(p) ((struct job *)((uint8_t *)(p) - offsetof(struct job, link)))
__attribute__((noinline)) void add(struct job *j) { j->link.next = head; head = &j->link; }
__attribute__((noinline)) uint16_t sum(void)
{
    uint16_t s = 0;
    for (struct link *l = head; l; l = l->next) s += container(l)->id + container(l)->extra[in];
    return s;
}
int main(void)
{
    for (uint8_t i = 0; i < 3; i++) { jobs[i].id = i; add(&jobs[i]); }
    out = sum();
    return 0;
}
