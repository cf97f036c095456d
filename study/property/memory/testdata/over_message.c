/* Purpose: a packed message's own length is believed. */
#include <stdint.h>
volatile uint8_t in = 9;

struct message { uint8_t length; uint16_t from; uint8_t data[4]; } __attribute__((packed));
struct message message = {9, 1, {1, 2, 3, 4}};
uint8_t received[16];
uint8_t rest[30];
__attribute__((noinline)) void deliver(const struct message *m)
{
    for (uint8_t i = 0; i < m->length; i++) received[i] = m->data[i]; // want bounds message
}
int main(void)
{
    message.length = in;
    deliver(&message);
    rest[in] = 1;
    return received[in] + rest[in];
}
