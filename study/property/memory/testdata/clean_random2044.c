/* Purpose: arrays, structs and locals, walked in many ways, as a generator made them. Nothing is wrong. */
#include <stdint.h>
#include <string.h>
volatile uint8_t vz=0; volatile uint16_t sink;
struct { uint16_t h; uint32_t d[2]; uint8_t tail; } c0;
struct { uint16_t h; uint32_t d[12]; uint8_t tail; } c1;
struct { uint16_t h; int16_t d[2]; uint8_t tail; } c2;
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z0;
uint32_t z1;
uint32_t z2;
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z3;
__attribute__((noinline)) void fill(uint8_t *p, uint8_t n) { for (uint8_t i=0;i<n;i++) p[i]^=i; uint8_t *e=p+n; while (e>p) sink+=*--e; }
__attribute__((noinline)) uint16_t f0(uint8_t k)
{
    int16_t l0[5]; memset(l0,1,sizeof l0);
    uint16_t l1[8]; memset(l1,1,sizeof l1);
    uint8_t l2[5]; memset(l2,1,sizeof l2);
    fill((uint8_t*)l0, sizeof l0);
    for (int i=2; i<8+2+vz; i++) { l1[i-2]+=i; sink+=l1[i-2]; }
    { uint8_t i=vz+8; c2.d[i-8]=i; }
    memcpy(c2.d,l0,vz+2*(sizeof c2.d[0]<sizeof l0[0]?sizeof c2.d[0]:sizeof l0[0]));
    for (uint8_t i=0; i<8+vz; i++) sink+=l1[8-1-i];
    return sink+k;
}
__attribute__((noinline)) uint16_t f1(uint8_t k)
{

    for (uint8_t i=2; i<sizeof c2+2; i++) sink+=((uint8_t*)&c2)[i-2];
    sink+=c0.d[vz+0];
    for (uint16_t i=0; i<2+vz; i++) sink+=c0.d[2-1-i];
    for (uint16_t i=1; i<12+1+vz; i++) { c1.d[i-1]+=i; sink+=c1.d[i-1]; }
    return sink+k;
}
static uint16_t f2(uint8_t k)
{
    uint32_t l0[13]; memset(l0,1,sizeof l0);
    uint8_t l1[2]; memset(l1,1,sizeof l1);
    fill((uint8_t*)l0, sizeof l0);
    for (uint16_t i=2; i<2+2+vz; i++) { c0.d[i-2]+=i; sink+=c0.d[i-2]; }
    { uint32_t *p=c0.d+2+vz; while (p!=c0.d) { sink+=*--p; } for (p=c0.d; p<c0.d+2+vz; p++) *p=sink; }
    for (uint16_t i=vz; i<2; i++) { l1[i]=l0[i]+i; sink+=l0[13-1-i]; }
    return sink+k;
}
__attribute__((noinline)) uint16_t f3(uint8_t k)
{
    uint16_t l0[3]; memset(l0,1,sizeof l0);
    fill((uint8_t*)l0, sizeof l0);
    for (uint8_t i=vz; i<12; i++) { c1.d[i]=c1.d[i]+i; sink+=c1.d[12-1-i]; }
    return sink+k;
}
int main(void)
{
    for (uint8_t r=0;r<2;r++) sink+=f0(r);
    for (uint8_t r=0;r<2;r++) sink+=f1(r);
    for (uint8_t r=0;r<2;r++) sink+=f2(r);
    for (uint8_t r=0;r<2;r++) sink+=f3(r);
    fill((uint8_t*)c0.d, sizeof c0.d);
    return 0;
}
