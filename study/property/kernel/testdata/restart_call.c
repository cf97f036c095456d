// A callback that nobody has set.
#include "chip.h"

void (*volatile callback)(void);

int main(void)
{
    work(1000);
    callback(); // want restart
    work(1000);
    for (;;)
        ;
}
