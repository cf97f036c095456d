/* Purpose: arrays, structs and locals, walked in many ways, as a generator made them. Nothing is wrong. */
#include <stdint.h>
#include <string.h>
volatile uint8_t vz=0; volatile uint16_t sink;
static uint8_t a0[1];
struct { uint16_t h; uint16_t d[20]; uint8_t tail; } c1;
uint16_t s2;
struct { uint16_t h; uint16_t d[8]; uint8_t tail; } c3;
struct { uint8_t x; uint8_t y; uint8_t z[3]; } b4[20];
uint16_t s5;
uint16_t a6[4] = {1,2};
uint32_t z0;
uint32_t z1;
uint16_t z2;
uint32_t z3;
__attribute__((noinline)) void fill(uint8_t *p, uint8_t n) { for (uint8_t i=0;i<n;i++) p[i]^=i; uint8_t *e=p+n; while (e>p) sink+=*--e; }
static uint16_t f0(uint8_t k)
{
    uint8_t l0[3]; memset(l0,1,sizeof l0);
    uint32_t l1[8]; memset(l1,1,sizeof l1);
    uint16_t l2[5]; memset(l2,1,sizeof l2);
    fill((uint8_t*)l0, sizeof l0);
    { uint8_t i=vz+9; l2[i-5]=i; }
    for (int i=6; i<20+6+vz; i++) { b4[i-6].z[2]+=i; sink+=b4[i-6].z[2]; }
    return sink+k;
}
__attribute__((noinline)) uint16_t f1(uint8_t k)
{
    uint16_t l0[8]; memset(l0,1,sizeof l0);
    uint8_t l1[3]; memset(l1,1,sizeof l1);
    int16_t l2[3]; memset(l2,1,sizeof l2);
    fill((uint8_t*)l0, sizeof l0);
    memcpy(l1,l0,vz+3*(sizeof l1[0]<sizeof l0[0]?sizeof l1[0]:sizeof l0[0]));
    { uint8_t i=vz+3; a0[i-3]=i; }
    sink+=l1[vz+1];
    return sink+k;
}
static uint16_t f2(uint8_t k)
{
    uint16_t l0[40]; memset(l0,1,sizeof l0);
    fill((uint8_t*)l0, sizeof l0);
    { uint16_t *p=a6+4+vz; while (p!=a6) { sink+=*--p; } for (p=a6; p<a6+4+vz; p++) *p=sink; }
    sink+=c1.d[vz+13];
    for (uint8_t i=vz; i<1; i++) { l0[i]=a0[i]+i; sink+=a0[1-1-i]; }
    for (uint8_t i=11; i<sizeof a6+11; i++) sink+=((uint8_t*)&a6)[i-11];
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
