// The C library's assert.
#include "chip.h"
#define __ASSERT_USE_STDERR
#include <assert.h>

volatile uint8_t state;

int main(void)
{
    assert(state == 0);
    assert(state == 1); // want failure __assert "state == 1"
    for (;;)
        ;
}
