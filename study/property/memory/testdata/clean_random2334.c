/* Purpose: arrays, structs and locals, walked in many ways, as a generator made them. Nothing is wrong. */
#include <stdint.h>
#include <string.h>
volatile uint8_t vz=0; volatile uint16_t sink;
struct { uint16_t h; uint32_t d[8]; uint8_t tail; } c0;
struct { uint16_t h; uint8_t d[1]; uint8_t tail; } c1;
struct { uint16_t h; uint8_t d[3]; uint8_t tail; } c2;
uint32_t s3;
uint8_t s4;
struct { uint16_t h; uint8_t d[1]; uint8_t tail; } c5;
uint32_t a6[16];
uint32_t z0;
struct { uint8_t l; uint8_t d[6]; uint16_t e; } z1;
uint32_t z2;
uint16_t z3;
__attribute__((noinline)) void fill(uint8_t *p, uint8_t n) { for (uint8_t i=0;i<n;i++) p[i]^=i; uint8_t *e=p+n; while (e>p) sink+=*--e; }
__attribute__((noinline)) uint16_t f0(uint8_t k)
{

    sink+=c5.d[vz+0];
    { uint8_t i=vz+20; sink+=((uint8_t*)&a6)[i-20+(i-20<sizeof a6-1)]; uint8_t *p=(uint8_t*)(&a6+1); sink+=*--p; }
    for (uint16_t i=vz; i<1; i++) { c5.d[i]=c5.d[i]+i; sink+=c5.d[1-1-i]; }
    for (uint16_t i=7; i<sizeof z1+7; i++) sink+=((uint8_t*)&z1)[i-7];
    return sink+k;
}
static uint16_t f1(uint8_t k)
{
    uint8_t l0[13]; memset(l0,1,sizeof l0);
    fill((uint8_t*)l0, sizeof l0);
    { uint8_t i=vz+10; sink+=((uint8_t*)&z3)[i-10+(i-10<sizeof z3-1)]; uint8_t *p=(uint8_t*)(&z3+1); sink+=*--p; }
    return sink+k;
}
static uint16_t f2(uint8_t k)
{
    uint16_t l0[3]; memset(l0,1,sizeof l0);
    uint16_t l1[3]; memset(l1,1,sizeof l1);
    int16_t l2[2]; memset(l2,1,sizeof l2);
    fill((uint8_t*)l0, sizeof l0);
    for (int i=9; i<sizeof c5+9; i++) sink+=((uint8_t*)&c5)[i-9];
    { uint8_t i=vz+16; a6[i-15]=i; }
    for (uint8_t i=4; i<3+4+vz; i++) { c2.d[i-4]+=i; sink+=c2.d[i-4]; }
    return sink+k;
}
static uint16_t f3(uint8_t k)
{
    uint8_t l0[13]; memset(l0,1,sizeof l0);
    fill((uint8_t*)l0, sizeof l0);
    for (uint8_t i=3; i<sizeof c5+3; i++) sink+=((uint8_t*)&c5)[i-3];
    sink+=l0[vz+4];
    sink+=c0.d[vz+0];
    return sink+k;
}
__attribute__((noinline)) uint16_t f4(uint8_t k)
{
    uint16_t l0[3]; memset(l0,1,sizeof l0);
    int16_t l1[2]; memset(l1,1,sizeof l1);
    fill((uint8_t*)l0, sizeof l0);
    { uint8_t i=vz+7; sink+=((uint8_t*)&z3)[i-7+(i-7<sizeof z3-1)]; uint8_t *p=(uint8_t*)(&z3+1); sink+=*--p; }
    return sink+k;
}
int main(void)
{
    for (uint8_t r=0;r<2;r++) sink+=f0(r);
    for (uint8_t r=0;r<2;r++) sink+=f1(r);
    for (uint8_t r=0;r<2;r++) sink+=f2(r);
    for (uint8_t r=0;r<2;r++) sink+=f3(r);
    for (uint8_t r=0;r<2;r++) sink+=f4(r);
    fill((uint8_t*)c0.d, sizeof c0.d);
    return 0;
}
