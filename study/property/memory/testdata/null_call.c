/* Purpose: a function pointer that was never set. */
#include <stdint.h>
void (*volatile act)(void);
int main(void)
{
    if (!act) act(); // want null
    return 0;
}
