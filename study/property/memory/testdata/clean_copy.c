/* Purpose: structs are copied, passed and returned by value. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 3;

struct v { int16_t x, y, z; uint8_t tag[6]; };
struct v points[4];
__attribute__((noinline)) struct v add(struct v a, struct v b) { a.x += b.x; a.y += b.y; a.z += b.z; a.tag[5] = b.tag[0]; return a; }
volatile int16_t out;
int main(void)
{
    for (uint8_t i = 0; i < 4; i++) points[i].x = i;
    points[0] = add(points[in], points[in - 1]);
    struct v t = points[0];
    points[1] = t;
    out = points[1].x + t.tag[in];
    return 0;
}
