/* Functions that pointers of 16 bits do not reach: the linker makes a jump to each, near the vectors, and pointers lead there. */
#define FAR __attribute__((section(".far"), noinline, used))
volatile unsigned int rounds;

FAR static void one(void) { rounds++; }
FAR static void two(void) { rounds += 2; }

FAR static void choose(unsigned char i)
{
	switch (i) {
	case 0: rounds += 3; break;
	case 1: rounds ^= 4; break;
	case 2: rounds -= 5; break;
	case 3: rounds *= 3; break;
	case 4: rounds = 7; break;
	case 5: rounds |= 1; break;
	case 6: rounds &= 0xFFF; break;
	}
}

static void (*volatile table[])(void) = {one, two};
static void (*volatile chosen)(unsigned char) = choose;

int main(void)
{
	for (unsigned char i = 0;; i++) {
		table[i & 1]();
		chosen(i & 7);
	}
}
