// A program without handlers that is done: main returns.
#include "chip.h"

int main(void)
{
    work(1000);
    return 0;
}
