// A program that does one wrong thing, as its mode says, when its timer has come twenty times.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <string.h>

#include "access.h"

enum { FINE, OVERRUN, LEVEL, FAIL, PEEK, READ, REFUSE, COPY, HEADER, TWICE, NOTHING };

volatile uint8_t mode;
volatile uint8_t ticks;
volatile uint8_t level;
volatile uint16_t parent = 0xFFFF;
uint8_t behind[4];
uint8_t ring[4];
volatile uint8_t at;
volatile uint8_t where;
volatile uint8_t taken;
volatile uint8_t done;
volatile uint8_t refused;

__attribute__((noinline)) static void put(uint8_t i, uint8_t value)
{
    ring[i] = value; // @put
}

__attribute__((noinline)) static uint8_t get(uint8_t i)
{
    return ring[i];
} // @get

__attribute__((noinline)) void give_up(void)
{
    cli(); // @off
    for (;;)
        sleep_cpu(); // @halt
}

static inline uint8_t take(void)
{
    uint8_t full = mode == REFUSE && ticks >= 20; // @take
    if (!full)
        taken++;
    return full;
}

__attribute__((noinline)) static void finish(void)
{
    done = 0;
    put(at, ticks);
    done = 1;
}

struct entry {
    uint8_t key, age;
    uint16_t value;
};

struct entry *volatile first_entry;

__attribute__((noinline)) static void touch(void)
{
    struct entry *e = first_entry;
    behind[2] = e->key; // @null
    behind[3] = e->age; // @age
    if (ticks >= 20)
        e->value = 7; // @value
}

static void go_wrong(void)
{
    switch (mode) {
    case TWICE:
        put(at + 4, 1);
        behind[0] = get(at + 4);
        break;
    case NOTHING:
        touch();
        break;
    case OVERRUN:
        put(at + 4, 1);
        break;
    case LEVEL:
        level = 9;
        break;
    case FAIL:
        give_up(); // @fail
        break;
    case PEEK:
        at = 3;
        break;
    case COPY:
        memcpy(ring, behind, at + 8); // @copy
        break;
    case HEADER:
        where = 4;
        break;
    case READ:
        behind[0] = get(at + 4);
        break;
    }
}

ISR(TIMER0_OVF_vect)
{
    ticks++;
    put(at, ticks); // @line
    behind[1] = get(at);
    set(ring, where, ticks); // @header
    finish();
    taken = 0;
    if (take())
        refused++;
    if (ticks == 20)
        go_wrong();
    if (ticks == 22)
        level = 0;
}

int main(void)
{
    TCCR0 = 4; // a 64th of 8 MHz: every two milliseconds
    TIMSK = 1 << TOIE0;
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    sei();
    for (;;)
        sleep_cpu();
}
