// Four kinds of arithmetic, called through a table: the Mandelbrot set in floating
// point, modular powers by 32-bit division, matrices by 8- and 16-bit
// multiplication, and digits of e by long division.
//
// Covers the soft-float and division routines of libgcc and avr-libc; MUL, MULS
// and MULSU; 32-bit arithmetic and indirect calls.
//
// result = 0x25777ED5
#include "cpu.h"

enum { ROUNDS = 10 };

static uint32_t mandelbrot(uint8_t round)
{
    enum { WIDTH = 32, HEIGHT = 16, MAX_ITERATIONS = 24 };
    uint32_t checksum = 0;
    float zoom = 3.0f / (1 + round);

    for (uint8_t row = 0; row < HEIGHT; row++) {
        float ci = ((float)row / HEIGHT - 0.5f) * zoom + 0.1f;

        for (uint8_t column = 0; column < WIDTH; column++) {
            float cr = ((float)column / WIDTH - 0.5f) * zoom - 0.7f;
            float zr = 0;
            float zi = 0;
            uint8_t i = 0;

            while (i < MAX_ITERATIONS) {
                float rr = zr * zr;
                float ii = zi * zi;

                if (rr + ii > 4.0f)
                    break;
                zi = 2 * zr * zi + ci;
                zr = rr - ii + cr;
                i++;
            }
            checksum = mix(checksum, i);
        }
    }
    return checksum;
}

// Fermat: a^(p-1) is 1 modulo a prime p, for every a that p does not divide.
static uint32_t modularPowers(uint8_t round)
{
    static const uint16_t primes[] = { 40961, 65521, 32771, 12289 };
    uint32_t checksum = 0;

    for (uint8_t i = 0; i < 60; i++) {
        uint32_t p = primes[(uint8_t)(i + round) % 4];
        uint32_t base = 2 + (uint32_t)round * 100 + i;
        uint32_t power = 1;

        for (uint32_t exponent = p - 1; exponent; exponent >>= 1) {
            if (exponent & 1)
                power = power * base % p;
            base = base * base % p;
            checksum = mix(checksum, base);
        }
        if (power != 1)
            return 0;
    }
    return checksum;
}

// The two factors have different signedness and width, so that every form of the
// multiplication is needed.
static uint32_t matrices(uint8_t round)
{
    enum { N = 12 };
    static int16_t wide[N][N];
    static int8_t narrow[N][N];
    static uint8_t weight[N];
    uint32_t random = 88675123 + round;
    uint32_t checksum = 0;

    for (uint8_t i = 0; i < N; i++) {
        weight[i] = xorshift(&random);
        for (uint8_t j = 0; j < N; j++) {
            wide[i][j] = xorshift(&random);
            narrow[i][j] = xorshift(&random);
        }
    }
    for (uint8_t times = 0; times < 8; times++)
        for (uint8_t i = 0; i < N; i++)
            for (uint8_t j = 0; j < N; j++) {
                uint32_t sum = 0;

                for (uint8_t k = 0; k < N; k++) {
                    int16_t product = narrow[i][k] * narrow[k][j];
                    int16_t weighted = narrow[k][j] * weight[k];

                    sum += (uint32_t)((int32_t)wide[i][k] * weighted + product);
                }
                checksum = mix(checksum, sum);
                wide[i][j] = sum >> 8;
            }
    return checksum;
}

// The spigot of Rabinowitz and Wagon: e in the mixed radix 1/2!, 1/3!, ... is all
// ones, and multiplying that by ten carries one decimal digit out.
static uint32_t digitsOfE(uint8_t round)
{
    enum { TERMS = 80, DIGITS = 100 };
    static uint16_t terms[TERMS];
    uint32_t checksum = 2 + round;

    for (uint8_t i = 0; i < TERMS; i++)
        terms[i] = 1;
    for (uint8_t digit = 0; digit < DIGITS; digit++) {
        uint16_t carry = 0;

        for (uint8_t i = TERMS; i-- > 0;) {
            uint16_t value = terms[i] * 10 + carry;

            terms[i] = value % (i + 2);
            carry = value / (i + 2);
        }
        checksum = mix(checksum, carry);
    }
    return checksum;
}

int main(void)
{
    static uint32_t (*const kinds[])(uint8_t round) = { mandelbrot, modularPowers, matrices, digitsOfE };
    uint32_t checksum = 0;

    for (uint8_t round = 0; round < ROUNDS; round++)
        for (uint8_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
            uint32_t value = kinds[kind](round);

            if (value == 0)
                finish(0);
            checksum = mix(checksum, value);
        }
    finish(checksum);
}
