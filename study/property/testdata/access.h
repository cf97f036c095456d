// What everybody uses.
static inline void set(uint8_t *bytes, uint8_t i, uint8_t value)
{
    bytes[i] = value;
}
