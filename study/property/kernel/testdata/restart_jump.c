// A program that starts itself over.
#include "chip.h"

int main(void)
{
    work(1000);
    __asm__ volatile("jmp 0"); // want restart
    for (;;)
        ;
}
