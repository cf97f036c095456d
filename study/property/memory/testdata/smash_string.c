/* Purpose: a text that is too long does it. */
#include <stdint.h>
#include <string.h>
volatile uint8_t in = 0;

char text[40] = "a line that nobody thought of here";
__attribute__((noinline)) uint8_t work(const char *s)
{
    char t[8];
    strcpy(t, s); // want bounds t; want return
    return t[1];
}
volatile uint8_t out;
int main(void)
{
    out = work(text + in);
    return 0;
}
