// A kernel that nobody knows: two places for tasks, each of which waits at most once.
#include "../chip.h"

static volatile uint8_t waiting[2];
static volatile uint8_t count;

__attribute__((noinline, noclone)) uint8_t slot_post(uint8_t id)
{
    for (uint8_t i = 0; i < count; i++)
        if (waiting[i] == id)
            return 1;
    if (count == 2)
        return 2;
    waiting[count++] = id;
    return 0;
}

__attribute__((noinline, noclone)) void slot_run(uint8_t id) { work(10 * id); }

int main(void)
{
    for (;;) {
        slot_post(1);
        slot_post(1);
        slot_post(2);
        slot_post(3); // want queue_full
        while (count) {
            uint8_t id = waiting[0];

            waiting[0] = waiting[1];
            count--;
            slot_run(id);
        }
    }
}
