/* Purpose: a name that is too long is copied. */
#include <stdint.h>
#include <string.h>
volatile uint8_t in = 0;

char name[6];
char text[20] = "temperature";
uint8_t more[24];
int main(void)
{
    strcpy(name, &text[in]); // want bounds name
    memset(more, 1, sizeof more);
    return name[in] + more[in];
}
