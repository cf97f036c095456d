/* Purpose: string constants, in a table of pointers and by themselves. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 2;

const char *names[] = {"idle", "sending", "asleep", "dead"};
char out[40];
__attribute__((noinline)) void append(const char *s) { char *o = out; while (*o) o++; while ((*o++ = *s++)) ; }
int main(void)
{
    append(names[in]);
    append(" then ");
    append(names[in - 1]);
    return out[in];
}
