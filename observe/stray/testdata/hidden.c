/* A routine that no symbol of a function names, and that only a pointer in a variable leads to. */
unsigned char seen;

__asm__(".section .progmem.hidden, \"ax\"\n"
	".global hidden\n"
	"hidden:\n"
	"	lds r24, seen\n"
	"	inc r24\n"
	"	sts seen, r24\n"
	"	ret\n"
	"	.text\n");

extern void hidden(void);
void (*volatile call)(void) = hidden;

int main(void)
{
	for (;;)
		call();
}
