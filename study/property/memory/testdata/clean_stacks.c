/* Purpose: two threads, whose stacks are variables, take turns with the main program. Nothing is wrong. */
#include <avr/io.h>
#include <stdint.h>

uint8_t low[96], high[96];
uint8_t *saved[3];    /* the stack pointers of both threads, and of the main program */
volatile uint8_t turns[2];
uint8_t now;

/* Saves what a function must not change, and goes on with another stack. */
__attribute__((naked, noinline)) void change(uint8_t **from, uint8_t *to)
{
    asm volatile("push r2\n push r3\n push r4\n push r5\n push r6\n push r7\n push r8\n push r9\n push r10\n push r11\n"
                 "push r12\n push r13\n push r14\n push r15\n push r16\n push r17\n push r28\n push r29\n"
                 "movw r30, r24\n in r18, 0x3d\n in r19, 0x3e\n std Z+1, r19\n st Z, r18\n"
                 "out 0x3e, r23\n out 0x3d, r22\n"
                 "pop r29\n pop r28\n pop r17\n pop r16\n pop r15\n pop r14\n pop r13\n pop r12\n"
                 "pop r11\n pop r10\n pop r9\n pop r8\n pop r7\n pop r6\n pop r5\n pop r4\n pop r3\n pop r2\n ret");
}

__attribute__((noinline)) void deeper(uint8_t n)
{
    turns[now]++;
    change(&saved[now], saved[2]);
    if (n > 0) deeper(n - 1);
    turns[now] += n;
}

void thread(void)
{
    for (;;) deeper(3);
}

void begin(uint8_t n, uint8_t *stack)
{
    stack[95] = (uint16_t)thread & 0xFF;
    stack[94] = (uint16_t)thread >> 8;
#ifdef __AVR_3_BYTE_PC__
    stack[93] = 0;
    stack--;
#endif
    saved[n] = stack + 93 - 18;
}

int main(void)
{
    begin(0, high);
    begin(1, low);
    for (uint8_t i = 0; i < 20; i++) {
        now = i & 1;
        change(&saved[2], saved[now]);
    }
    return 0;
}
