/* motehound.h - what the symbolic engine of Motehound is told by the firmware itself.
 *
 *     mh_symbolic(&x, sizeof x, "x");    x may be anything from here on
 *     mh_assume(x < 10);                 ... but only values below 10 are of interest
 *     mh_assert(y != 0);                 and for none of them may y be 0
 *
 * On a real mote, and everywhere else but in the symbolic engine, these do nothing. Each is a label at a nop: its name says what is to be
 * done, its address when. Without the nop, a branch around it would lead to the same address. The condition of mh_assume and mh_assert is
 * computed (into a register, no branch is added); -DMOTEHOUND_OFF leaves all of that out.
 *
 * The name of a variable is a string literal, and its size a constant. For gcc and clang.
 */
#ifndef MOTEHOUND_H
#define MOTEHOUND_H

#if defined(__AVR__) && !defined(MOTEHOUND_OFF)

/* "+m": the compiler knows that x may have changed, and writes where x is into the label: a symbol, or Y+1. %= makes labels unique. */
#define mh_symbolic(pointer, size, name) \
	__asm__ volatile("\"mh:symbolic:%=:%0:%1:" name "\":\n\tnop" : "+m"(*(char(*)[size])(pointer)) : "i"(size))
#define mh_assume(condition) \
	__asm__ volatile("\"mh:assume:%=:%0\":\n\tnop" : : "r"((unsigned char)!!(condition)))
#define mh_assert(condition) \
	__asm__ volatile("\"mh:assert:%=:%0:" MH_TEXT(__LINE__) "\":\n\tnop" : : "r"((unsigned char)!!(condition)))
#define MH_TEXT(x) MH_TEXT_(x)
#define MH_TEXT_(x) "line " #x

#else

#define mh_symbolic(pointer, size, name) ((void)0)
#define mh_assume(condition) ((void)0)
#define mh_assert(condition) ((void)0)

#endif
#endif
