/* Purpose: arrays, structs and locals, walked in many ways, as a generator made them. Nothing is wrong. */
#include <stdint.h>
#include <string.h>
volatile uint8_t vz=0; volatile uint16_t sink;
int16_t a0[12];
int16_t a1[3];
uint32_t s2;
struct { uint8_t x; uint8_t y; uint8_t z[3]; } b3[8];
uint32_t z0;
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z1;
uint32_t z2;
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z3;
__attribute__((noinline)) void fill(uint8_t *p, uint8_t n) { for (uint8_t i=0;i<n;i++) p[i]^=i; uint8_t *e=p+n; while (e>p) sink+=*--e; }
__attribute__((noinline)) uint16_t f0(uint8_t k)
{
    uint16_t l0[2]; memset(l0,1,sizeof l0);
    uint32_t l1[2]; memset(l1,1,sizeof l1);
    uint8_t l2[13]; memset(l2,1,sizeof l2);
    fill((uint8_t*)l0, sizeof l0);
    for (uint8_t i=vz; i<2; i++) { a0[i]=l1[i]+i; sink+=l1[2-1-i]; }
    return sink+k;
}
__attribute__((noinline)) uint16_t f1(uint8_t k)
{
    uint16_t l0[40]; memset(l0,1,sizeof l0);
    uint32_t l1[3]; memset(l1,1,sizeof l1);
    int16_t l2[5]; memset(l2,1,sizeof l2);
    fill((uint8_t*)l0, sizeof l0);
    { uint8_t i=vz+17; l2[i-14]=i; }
    { uint32_t *p=l1+3+vz; while (p!=l1) { sink+=*--p; } for (p=l1; p<l1+3+vz; p++) *p=sink; }
    sink+=b3[vz+6].y;
    return sink+k;
}
__attribute__((noinline)) uint16_t f2(uint8_t k)
{

    memcpy(a1,a0,vz+3*(sizeof a1[0]<sizeof a0[0]?sizeof a1[0]:sizeof a0[0]));
    return sink+k;
}
int main(void)
{
    for (uint8_t r=0;r<2;r++) sink+=f0(r);
    for (uint8_t r=0;r<2;r++) sink+=f1(r);
    for (uint8_t r=0;r<2;r++) sink+=f2(r);
    fill((uint8_t*)a0, sizeof a0);
    return 0;
}
