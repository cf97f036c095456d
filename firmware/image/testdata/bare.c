/* Without start-up files: real code at address 0. */
#define PORTB (*(volatile unsigned char *)0x25)

__attribute__((naked, noreturn)) void reset(void)
{
    __asm__ volatile("clr r1");
    for (;;)
        PORTB++;
}
