/* Purpose: arrays, structs and locals, walked in many ways, as a generator made them. Nothing is wrong. */
#include <stdint.h>
#include <string.h>
volatile uint8_t vz=0; volatile uint16_t sink;
static uint8_t a0[1];
uint16_t a1[7];
struct { uint8_t x; uint8_t y; uint8_t z[3]; } b2[20];
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z0;
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z1;
uint16_t z2;
uint32_t z3;
__attribute__((noinline)) void fill(uint8_t *p, uint8_t n) { for (uint8_t i=0;i<n;i++) p[i]^=i; uint8_t *e=p+n; while (e>p) sink+=*--e; }
__attribute__((noinline)) uint16_t f0(uint8_t k)
{
    int16_t l0[40]; memset(l0,1,sizeof l0);
    int16_t l1[3]; memset(l1,1,sizeof l1);
    fill((uint8_t*)l0, sizeof l0);
    sink+=l0[vz+9];
    return sink+k;
}
__attribute__((noinline)) uint16_t f1(uint8_t k)
{
    uint32_t l0[40]; memset(l0,1,sizeof l0);
    uint16_t l1[5]; memset(l1,1,sizeof l1);
    fill((uint8_t*)l0, sizeof l0);
    for (int8_t i=39+vz; i>=0; i--) { if (i>0) sink+=l0[i-1]; l0[i]=i; }
    memcpy(l1,l0,vz+5*(sizeof l1[0]<sizeof l0[0]?sizeof l1[0]:sizeof l0[0]));
    return sink+k;
}
__attribute__((noinline)) uint16_t f2(uint8_t k)
{
    uint16_t l0[2]; memset(l0,1,sizeof l0);
    int16_t l1[40]; memset(l1,1,sizeof l1);
    fill((uint8_t*)l0, sizeof l0);
    { uint8_t i=vz+9; sink+=((uint8_t*)&z2)[i-9+(i-9<sizeof z2-1)]; uint8_t *p=(uint8_t*)(&z2+1); sink+=*--p; }
    { uint8_t i=vz+3; sink+=((uint8_t*)&z1)[i-3+(i-3<sizeof z1-1)]; uint8_t *p=(uint8_t*)(&z1+1); sink+=*--p; }
    return sink+k;
}
static uint16_t f3(uint8_t k)
{

    for (uint8_t i=6; i<7+6+vz; i++) { a1[i-6]+=i; sink+=a1[i-6]; }
    { uint8_t *p=a0+1+vz; while (p!=a0) { sink+=*--p; } for (p=a0; p<a0+1+vz; p++) *p=sink; }
    return sink+k;
}
__attribute__((noinline)) uint16_t f4(uint8_t k)
{
    uint32_t l0[8]; memset(l0,1,sizeof l0);
    fill((uint8_t*)l0, sizeof l0);
    { uint8_t i=vz+12; b2[i-5].y=i; }
    sink+=l0[vz+2];
    return sink+k;
}
int main(void)
{
    for (uint8_t r=0;r<2;r++) sink+=f0(r);
    for (uint8_t r=0;r<2;r++) sink+=f1(r);
    for (uint8_t r=0;r<2;r++) sink+=f2(r);
    for (uint8_t r=0;r<2;r++) sink+=f3(r);
    for (uint8_t r=0;r<2;r++) sink+=f4(r);
    fill((uint8_t*)a0, sizeof a0);
    return 0;
}
