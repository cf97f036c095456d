/* Purpose: memcpy, memmove, memset, strcpy, strcmp, memcmp within bounds. Nothing is wrong. */
#include <stdint.h>
#include <string.h>
volatile uint8_t in = 10;

char a[16] = "eleven chars", b[16], c[8];
volatile uint8_t out;
int main(void)
{
    memcpy(b, a, sizeof a);
    memmove(b + 2, b, in);
    memset(c, 0, sizeof c);
    strncpy(c, a, 7);
    strcpy(b, a + 3);
    out = strcmp(a, b) + memcmp(a, b, in) + strlen(c) + (strchr(a, 'v') - a);
    return 0;
}
