// A return to address 0: it cannot be seen where.
#include "chip.h"

int main(void)
{ // want restart
    work(1000);
    __asm__ volatile("push __zero_reg__\n\tpush __zero_reg__\n\tpush __zero_reg__\n\tret");
    for (;;)
        ;
}
