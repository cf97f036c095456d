// Purpose: a kernel that nobody knows, with two ways to run a task, for a description in a file.
// Result: what own.json tells to look at.
#include "log.h"

static uint8_t queue[4];
static volatile uint8_t first, count;

__attribute__((noinline, noclone)) uint8_t my_post(uint8_t unused, uint8_t id)
{
    uint8_t failed = 1;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        if (count < sizeof queue) {
            queue[(first + count) % sizeof queue] = id;
            count++;
            failed = 0;
        }
    }
    return failed;
}

static void post(uint8_t id)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        note(my_post(0, id) ? FAIL : POST, id);
    }
}

__attribute__((noinline)) static void sooner(uint8_t id) { work(30 + id); }
__attribute__((noinline)) static void later(uint8_t id) { post(1); work(60); }

void (*const table[])(uint8_t) = { sooner, sooner, later };

uint8_t current;

// It ends by a jump to what it calls.
__attribute__((noinline, noclone)) void my_run(uint8_t id)
{
    if (id == 0)
        sooner(id);
    else
        later(id);
}

__attribute__((noinline, noclone)) void my_call(void)
{
    table[current](current);
    note(END, current);
}

static void tick(void) { post(0); }
static void tock(void) { post(2); }

int main(void)
{
    start_timers();
    sei();
    for (;;) {
        uint8_t id = 0xFF;

        ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
            if (count) {
                id = queue[first];
                first = (first + 1) % sizeof queue;
                count--;
            }
        }
        if (id == 0) {
            note(RUN, id);
            my_run(id);
            note(END, id);
        } else if (id != 0xFF) {
            current = id;
            note(RUN, id);
            my_call();
        }
    }
}
