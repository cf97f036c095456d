/* Purpose: memset clears more than there is. */
#include <stdint.h>
#include <string.h>
volatile uint8_t in = 18;

uint8_t page[16];
uint8_t others[30];
int main(void)
{
    memset(page, in, in); // want bounds page
    memset(others, in, sizeof others);
    return page[in - 18] + others[in];
}
