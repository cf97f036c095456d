/* Purpose: an array at the end of a struct, past the struct. */
#include <stdint.h>
volatile uint8_t in = 11;

struct packet { uint8_t length, type; uint8_t payload[8]; } packet;
uint8_t following[30];
int main(void)
{
    for (uint8_t i = 0; i < in; i++) packet.payload[i] = i; // want bounds packet
    following[in] = 2;
    return following[in] + packet.type;
}
