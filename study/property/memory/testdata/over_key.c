/* Purpose: a table is indexed by a key that came from elsewhere. */
#include <stdint.h>
volatile uint8_t in = 200;

uint8_t versions[16];
uint8_t rest[250];
__attribute__((noinline)) uint8_t version(uint8_t key) { return versions[key]; } // want bounds versions
int main(void)
{
    uint8_t s = version(in - 195) + version(in - 190);
    rest[in] = version(in - 183);
    return s + rest[in];
}
