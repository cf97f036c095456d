/* Purpose: a function pointer that points to no code. */
#include <stdint.h>
void (*volatile act)(void) = (void (*)(void))0x7000;
int main(void)
{
    act(); // want jump
    return 0;
}
