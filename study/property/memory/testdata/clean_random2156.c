/* Purpose: arrays, structs and locals, walked in many ways, as a generator made them. Nothing is wrong. */
#include <stdint.h>
#include <string.h>
volatile uint8_t vz=0; volatile uint16_t sink;
struct { uint8_t x; int16_t y; uint8_t z[3]; } b0[4];
uint16_t s1;
int16_t a2[33];
static uint32_t a3[16];
uint32_t s4;
static uint8_t a5[60];
uint8_t a6[1];
int16_t a7[3] = {1,2};
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z0;
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z1;
uint32_t z2;
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z3;
__attribute__((noinline)) void fill(uint8_t *p, uint8_t n) { for (uint8_t i=0;i<n;i++) p[i]^=i; uint8_t *e=p+n; while (e>p) sink+=*--e; }
static uint16_t f0(uint8_t k)
{

    sink+=b0[vz+3].x;
    for (uint8_t i=0; i<sizeof b0+0; i++) sink+=((uint8_t*)&b0)[i-0];
    return sink+k;
}
static uint16_t f1(uint8_t k)
{
    uint32_t l0[40]; memset(l0,1,sizeof l0);
    int16_t l1[8]; memset(l1,1,sizeof l1);
    uint32_t l2[13]; memset(l2,1,sizeof l2);
    fill((uint8_t*)l0, sizeof l0);
    for (uint16_t i=0; i<8+vz; i++) sink+=l1[8-1-i];
    { uint8_t i=vz+12; sink+=((uint8_t*)&b0)[i-12+(i-12<sizeof b0-1)]; uint8_t *p=(uint8_t*)(&b0+1); sink+=*--p; }
    return sink+k;
}
static uint16_t f2(uint8_t k)
{

    for (int8_t i=15+vz; i>=0; i--) { if (i>0) sink+=a3[i-1]; a3[i]=i; }
    sink+=a6[vz+0];
    for (uint16_t i=0; i<3+0+vz; i++) { a7[i-0]+=i; sink+=a7[i-0]; }
    { uint8_t i=vz+1; sink+=((uint8_t*)&a6)[i-1+(i-1<sizeof a6-1)]; uint8_t *p=(uint8_t*)(&a6+1); sink+=*--p; }
    return sink+k;
}
int main(void)
{
    for (uint8_t r=0;r<2;r++) sink+=f0(r);
    for (uint8_t r=0;r<2;r++) sink+=f1(r);
    for (uint8_t r=0;r<2;r++) sink+=f2(r);
    fill((uint8_t*)a2, sizeof a2);
    return 0;
}
