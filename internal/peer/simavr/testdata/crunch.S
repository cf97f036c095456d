; Purpose: a CPU-bound program for timing and for long comparisons: CRC-like
; mixing of SRAM with calls, loads, stores, multiplies, branches and skips.
; Result: about 7,300 instructions for each of ROUNDS (set it with -DROUNDS), then
; cli and sleep.
#ifndef ROUNDS
#define ROUNDS 2000
#endif
.text
.global main
main:
	ldi r24, lo8(ROUNDS)
	ldi r25, hi8(ROUNDS)
	clr r20
	ldi r21, 0x5a
	ldi r26, 0x00
	ldi r27, 0x02
outer:
	clr r22
	ldi r28, 0x00
	ldi r29, 0x02
inner:
	ld r18, Y
	rcall round
	st Y+, r18
	lpm r19, Z+
	eor r20, r19
	sbrc r18, 0
	inc r20
	dec r22
	brne inner
	sbiw r24, 1
	brne outer
	cli
	sleep
done:
	rjmp done
round:
	push r24
	mul r18, r21
	add r0, r20
	adc r1, r21
	mov r24, r0
	lsr r24
	ror r1
	brcc 1f
	ldi r23, 0xb4
	eor r24, r23
1:	swap r1
	subi r20, 0x3b
	sbci r21, 0x91
	or r21, r18
	bst r24, 3
	bld r18, 6
	add r18, r24
	adc r18, r1
	clr r1
	pop r24
	ret
