/* Purpose: arrays, structs and locals, walked in many ways, as a generator made them. Nothing is wrong. */
#include <stdint.h>
#include <string.h>
volatile uint8_t vz=0; volatile uint16_t sink;
struct { uint16_t h; int16_t d[7]; uint8_t tail; } c0;
struct { uint8_t x; int16_t y; uint8_t z[3]; } b1[8];
struct { uint8_t x; uint8_t y; uint8_t z[3]; } b2[20];
struct { uint8_t x; int16_t y; uint8_t z[3]; } b3[16];
struct { uint8_t x; uint16_t y; uint8_t z[3]; } b4[4];
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z0;
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z1;
struct { uint16_t a; uint8_t b,c; } z2;
struct { uint16_t a; uint8_t b,c; } z3;
__attribute__((noinline)) void fill(uint8_t *p, uint8_t n) { for (uint8_t i=0;i<n;i++) p[i]^=i; uint8_t *e=p+n; while (e>p) sink+=*--e; }
__attribute__((noinline)) uint16_t f0(uint8_t k)
{
    int16_t l0[5]; memset(l0,1,sizeof l0);
    uint16_t l1[3]; memset(l1,1,sizeof l1);
    fill((uint8_t*)l0, sizeof l0);
    sink+=c0.d[vz+0];
    for (uint8_t i=vz; i<8; i++) { b1[i].z[1]=b1[i].z[1]+i; sink+=b1[8-1-i].z[1]; }
    return sink+k;
}
static uint16_t f1(uint8_t k)
{
    uint8_t l0[13]; memset(l0,1,sizeof l0);
    fill((uint8_t*)l0, sizeof l0);
    for (uint8_t i=0; i<8+0+vz; i++) { b1[i-0].z[1]+=i; sink+=b1[i-0].z[1]; }
    return sink+k;
}
int main(void)
{
    for (uint8_t r=0;r<2;r++) sink+=f0(r);
    for (uint8_t r=0;r<2;r++) sink+=f1(r);
    fill((uint8_t*)c0.d, sizeof c0.d);
    return 0;
}
