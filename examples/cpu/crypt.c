// AES-128 in CBC mode, SHA-256 and CRC-32, with their tables in flash.
//
// Covers LPM, byte-wise and 32-bit logic, rotations and deep straight-line loops.
// Starts with the published test vectors, and ends with result 0 if one fails.
//
// result = 0x381C2204
#include <string.h>

#include "cpu.h"
#include "tables.h"

enum {
    ROUNDS = 150,
    AES_BLOCK = 16,
    AES_ROUNDS = 10,
    SHA_BLOCK = 64,
    MESSAGE = 256,
};

static uint8_t roundKeys[(AES_ROUNDS + 1) * AES_BLOCK];
static uint32_t digest[8];
static uint8_t message[MESSAGE];

static uint8_t sbox(uint8_t byte)
{
    return pgm_read_byte(&aesSbox[byte]);
}

// Times x in GF(2^8).
static uint8_t xtime(uint8_t byte)
{
    return byte << 1 ^ (byte & 0x80 ? 0x1b : 0);
}

static void aesExpandKey(const uint8_t key[AES_BLOCK])
{
    uint8_t rcon = 1;

    memcpy(roundKeys, key, AES_BLOCK);
    for (uint8_t i = AES_BLOCK; i < sizeof roundKeys; i += 4) {
        uint8_t word[4];

        memcpy(word, &roundKeys[i - 4], 4);
        if (i % AES_BLOCK == 0) {
            uint8_t first = word[0];

            word[0] = sbox(word[1]) ^ rcon;
            word[1] = sbox(word[2]);
            word[2] = sbox(word[3]);
            word[3] = sbox(first);
            rcon = xtime(rcon);
        }
        for (uint8_t j = 0; j < 4; j++)
            roundKeys[i + j] = roundKeys[i + j - AES_BLOCK] ^ word[j];
    }
}

static void addRoundKey(uint8_t *state, uint8_t round)
{
    for (uint8_t i = 0; i < AES_BLOCK; i++)
        state[i] ^= roundKeys[round * AES_BLOCK + i];
}

static void subBytesShiftRows(uint8_t *state)
{
    uint8_t old[AES_BLOCK];

    memcpy(old, state, AES_BLOCK);
    for (uint8_t i = 0; i < AES_BLOCK; i++)
        state[i] = sbox(old[(i + (i % 4) * 4) % AES_BLOCK]);
}

static void mixColumns(uint8_t *state)
{
    for (uint8_t *c = state; c < state + AES_BLOCK; c += 4) {
        uint8_t first = c[0];
        uint8_t all = c[0] ^ c[1] ^ c[2] ^ c[3];

        c[0] ^= all ^ xtime(c[0] ^ c[1]);
        c[1] ^= all ^ xtime(c[1] ^ c[2]);
        c[2] ^= all ^ xtime(c[2] ^ c[3]);
        c[3] ^= all ^ xtime(c[3] ^ first);
    }
}

static void aesEncrypt(uint8_t *state)
{
    addRoundKey(state, 0);
    for (uint8_t round = 1; round <= AES_ROUNDS; round++) {
        subBytesShiftRows(state);
        if (round < AES_ROUNDS)
            mixColumns(state);
        addRoundKey(state, round);
    }
}

static uint32_t rotr(uint32_t x, uint8_t n)
{
    return x >> n | x << (32 - n);
}

static void shaBegin(void)
{
    static const uint32_t initial[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };

    memcpy(digest, initial, sizeof digest);
}

// Keeps the last 16 words of the schedule only: all 64 would be a sixteenth of
// the RAM.
static void shaBlock(const uint8_t *block)
{
    uint32_t w[16];
    uint32_t s[8];

    for (uint8_t i = 0; i < 16; i++, block += 4)
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint16_t)block[2] << 8 | block[3];
    memcpy(s, digest, sizeof s);
    for (uint8_t i = 0; i < 64; i++) {
        if (i >= 16) {
            uint32_t a = w[(i + 1) % 16];
            uint32_t b = w[(i + 14) % 16];

            w[i % 16] += (rotr(a, 7) ^ rotr(a, 18) ^ a >> 3) + w[(i + 9) % 16] + (rotr(b, 17) ^ rotr(b, 19) ^ b >> 10);
        }

        uint32_t t1 = s[7] + (rotr(s[4], 6) ^ rotr(s[4], 11) ^ rotr(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                      pgm_read_dword(&shaConstants[i]) + w[i % 16];
        uint32_t t2 = (rotr(s[0], 2) ^ rotr(s[0], 13) ^ rotr(s[0], 22)) +
                      ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

        memmove(&s[1], &s[0], 7 * sizeof s[0]);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (uint8_t i = 0; i < 8; i++)
        digest[i] += s[i];
}

static uint32_t crc32(uint32_t crc, const void *data, uint16_t length)
{
    const uint8_t *bytes = data;

    crc = ~crc;
    while (length--)
        crc = pgm_read_dword(&crcTable[(uint8_t)(crc ^ *bytes++)]) ^ crc >> 8;
    return ~crc;
}

// FIPS 197 appendix B, FIPS 180-4's "abc", and the CRC's check value.
static bool vectorsHold(void)
{
    static const uint8_t key[AES_BLOCK] = {
        0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c,
    };
    static const uint8_t cipher[AES_BLOCK] = {
        0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32,
    };
    uint8_t block[SHA_BLOCK] = {
        0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34,
    };

    aesExpandKey(key);
    aesEncrypt(block);
    if (memcmp(block, cipher, AES_BLOCK) != 0)
        return false;

    memset(block, 0, sizeof block);
    memcpy(block, "abc\x80", 4);
    block[SHA_BLOCK - 1] = 24;
    shaBegin();
    shaBlock(block);
    if (digest[0] != 0xba7816bf || digest[7] != 0xf20015ad)
        return false;

    return crc32(0, "123456789", 9) == 0xcbf43926;
}

static void cbcEncrypt(uint8_t iv[AES_BLOCK])
{
    const uint8_t *previous = iv;

    for (uint8_t *block = message; block < message + MESSAGE; block += AES_BLOCK) {
        for (uint8_t i = 0; i < AES_BLOCK; i++)
            block[i] ^= previous[i];
        aesEncrypt(block);
        previous = block;
    }
    memcpy(iv, previous, AES_BLOCK);
}

int main(void)
{
    uint8_t iv[AES_BLOCK] = { 0 };
    uint32_t checksum = 0;

    if (!vectorsHold())
        finish(0);
    for (uint16_t round = 0; round < ROUNDS; round++) {
        cbcEncrypt(iv);
        shaBegin();
        for (uint16_t at = 0; at < MESSAGE; at += SHA_BLOCK)
            shaBlock(message + at);
        checksum = mix(checksum, digest[round % 8]);
        checksum = mix(checksum, crc32(checksum, message, MESSAGE));
        aesExpandKey(iv);
    }
    finish(checksum);
}
