// Package simavr runs Debian's libsimavr 1.6 beside our own emulator, so that
// tests can compare the two state by state.
//
// [Build] compiles a small C program, the harness, against libsimavr-dev. A
// test then asks it for one of two services, each in a process of its own:
//
//   - [Harness.Cases]: one instruction on a given state, hundreds of thousands
//     of times a second;
//   - [Harness.Load]: whole programs, bare, with simavr's own peripherals, or
//     with ours as the masters and simavr checking each CPU step between
//     ([Scripted]). Rolling hashes ([Mix]) make long runs cheap to compare, and
//     [FirstDifference] finds the instruction where two runs part.
//
// [BenchRunner] times the stock simavr command for make bench.
//
// Invariants: the same requests give the same answers, bit for bit. PCs are byte
// addresses everywhere, as in simavr, ELF and gdb. No code of simavr is copied here.
//
// # What the harness changes
//
// avr_init allocates RAMEND+1 bytes of data and FLASHEND+4 of flash, and the core
// reads and writes beyond both; the harness gives it all 64 KiB and 16 MiB, with
// flash beyond its end reading 0xff. Cases, [Bare] and [Scripted] unhook every
// peripheral: I/O registers are memory, and WDR, SPM and BREAK are one-cycle NOPs
// (they are calls of avr_ioctl that nobody answers; BREAK needs gdb). Sleeping
// never waits in real time.
//
// # Where simavr 1.6 differs from the chips
//
// Each entry says what simavr does (and in which function), and what the
// documents say: ISM is the AVR Instruction Set Manual, DS40002198; DS128 is
// the ATmega128 datasheet 2467; DS328 that of ATmega48A/PA..328/P, DS40002061;
// DS2560 that of ATmega640/1280/1281/2560/2561, 2549; DS alone, all three. Each
// is pinned by a test named in brackets. docs/simavr-differences.md has the list for
// readers, with what our tests make of each.
//
// Core (avr_run_one, unless named):
//
//  1. A skip (CPSE, SBRC, SBRS, SBIC, SBIS) over ADIW or SBIW whose K has
//     12 to 15 in its low four bits skips two words in 3 cycles:
//     _avr_is_instruction_32_bits masks off the bits that tell them from JMP and
//     CALL. ISM, "Conditional skip": one word, 2 cycles. [SkipTakesADIWForTwoWords]
//  2. An undefined opcode is logged and otherwise a one-cycle NOP
//     (_avr_invalid_opcode). The 1,024 undefined opcodes 0xF808..0xFFFF with bit 3
//     set are not even logged: they run as BLD, BST, SBRC, SBRS with bit 3 clear.
//     ISM gives neither a meaning. [UndefinedOpcodes]
//  3. ELPM on a chip without RAMPZ, and EIJMP or EICALL without EIND, are logged
//     as invalid and then run all the same, with r0 in the place of the missing
//     register: ELPM Z+ even increments r0. ISM, appendix: not implemented on
//     those devices. [MissingRAMPZAndEINDAreR0]
//  4. RAMPZ and EIND keep all eight bits, ELPM Z+ carries into all of them, and
//     ELPM, EIJMP and EICALL use them all. DS128 "RAMPZ": one bit, the others read
//     as zero; DS2560: RAMPZ has two bits, EIND one. [ExtensionRegistersHaveEightBits]
//  5. PC wraps at the flash's end for RJMP and RCALL only. Branches, skips, JMP,
//     CALL, RET, IJMP and falling off the end leave it outside, and the next fetch
//     is a crash. ISM, "Program memory addressing": the PC has as many bits as the
//     program memory needs. [OnlyRelativeJumpsWrapPC, RunUntilCycle]
//  6. A load or store above RAMEND crashes (avr_core_watch_read and _write), after
//     it took place. DS128 "SRAM data memory" has external memory there (XMEM);
//     without it the result is unspecified. [DataBeyondRAMEND]
//  7. SP is RAMEND after reset on all chips. DS128 "Stack pointer": 0x0000. DS328
//     and DS2560: RAMEND. [ResetStackPointer]
//  8. A pointer that is also the operand, which ISM calls undefined for LD, ST,
//     LPM and ELPM with increment or decrement: for LD the loaded byte wins over
//     the new pointer, for LPM and ELPM the new pointer wins, ST stores the old
//     byte. [PointerIsAlsoTheOperand]
//  9. SPM takes one cycle and its effect is immediate (avr_flash_ioctl): SPMCSR
//     never shows it busy, RWWSB never rises, and where the code runs is not
//     checked. Page erase starts at Z itself, not at its page, and so crosses
//     into the next. SPM Z+ is unknown. DS328 "Self-programming": the page comes
//     from the high part of Z; 3.7 to 4.5 ms; SPM works from the boot section
//     only. [PageEraseStartsAtZ, QuietInstructions]
//  10. SLEEP sleeps whatever SE and SM say; with an interrupt pending and I set it
//     is a NOP; with I clear the run ends ([Done]). ISM, DS "Sleep modes": without
//     SE it does nothing; asleep with I clear the chip stays asleep until reset.
//     [QuietInstructions, SleepBeforeCLILosesTheInterrupt, DeadSleepEnds]
//  11. SBI and CBI read the whole register and write it back, through the
//     peripheral: SBI PINB,7 toggles every bit of PORTB that reads as one. DS328
//     and DS2560 "Toggling the pin": one bit only. DS128 has no toggling, PINx is
//     read-only there; simavr toggles on it too. [SBIOnPINToggles]
//  23. A pointer that addresses itself, or a stack on SP or SREG: LD Rd, -X reads
//     before it decrements; ST X and ST -X leave in X the pointer, not what was
//     stored; POP of SPL reads before it increments; RETI sets I before it pops
//     SREG. ISM, "LD", "ST": pre-decrement; "POP": "pre-incremented". [in isa/avr]
//  24. LPM beyond the end of flash reads what lies behind it: 0xff in the harness.
//     No document says what a chip does. [in isa/avr]
//  25. BREAK without gdb is a one-cycle NOP, as ISM has it without on-chip debugging.
//     Ours tells the mote, which stops. [QuietInstructions]
//
// Interrupts (sim_interrupts.c):
//
//  12. Entering an interrupt takes no cycles (avr_service_interrupts). DS128 and
//     DS328 "Interrupt response time": at least four; DS2560: at least five, said of
//     the whole family with its three-byte PC. [InterruptEntry]
//  13. Two instructions run after SEI, after RETI, and after any other write that
//     sets I, before a pending interrupt is served: avr_sreg_set counts
//     interrupt_state from -2. DS "Reset and interrupt handling": one. (simavr 1.8
//     counts from -1.) [InterruptEntry, RETIDelay]
//  14. So "sei; sleep; cli" with an interrupt pending serves nothing: sleep is a
//     NOP (10), and cli forgets that it was about to be served. DS: the interrupt
//     wakes the chip before cli. [SleepBeforeCLILosesTheInterrupt]
//  15. A flag raised while its enable bit is clear is never served, even when the
//     bit is set later (avr_raise_interrupt queues only what is enabled then). DS:
//     remembered until enabled or cleared. [LateEnableServesNothing]
//  16. Waking adds one cycle, not the four (DS2560: five) on top of the four or
//     five of entry: avr_callback_run_raw advances 1 + the cycles to the next timer.
//     [WakeUp]
//  17. IVSEL is stored and ignored: vectors stay at 0. DS "Moving interrupts".
//     [VectorsDoNotMove]
//
// Peripherals ([Native] only; not a full list: compare waveforms with datasheets):
//
//  18. Timers (avr_timer.c): writing CS or WGM sets TCNT to 0 and restarts the
//     prescaler, each timer having its own; a stopped timer reads 0; a TCNT written
//     while stopped is lost; TCNT = TOP is taken for 0; other writes are scaled by
//     TOP where TOP+1 is meant, so that with clk/1024 TCNT0 = 250 overflows after
//     5,141 cycles, not 6,144. The read right after the write that starts the timer
//     with clk/1 gives 1. DS: TCNT keeps its value, the prescaler runs freely
//     and is shared. [TimerCounter, TimerWriteIsScaledByTOP]
//  19. Any write of TIFR clears all of that timer's flags, even a write of 0
//     (avr_timer_write_pending does not look at the value). DS: each flag by
//     writing a one to it. [AnyWriteOfTIFRClearsAll]
//  20. UART (avr_uart.c): a frame has a parity bit always, 11 bits for 8N1, where DS
//     "Frame formats" has 10; UDRE rises when the frame has left, not when the
//     shift register takes the byte; the byte is seen outside at the write of UDR;
//     TXEN is set by reset; only a write of UBRRL sets the rate, so U2X and UBRRH
//     must be written before it. [UARTTiming, UARTBaudNeedsUBRRL]
//  21. EEPROM (avr_eeprom.c): reading and writing take no time: EEPE reads 0 at
//     once, and the CPU is not halted. DS "EECR": 3.3 ms (DS128: 8.5 ms), CPU halted
//     for four cycles by a read and two by a write. [EEPROMTakesNoTime]
//  22. SPI (avr_spi.c): every transfer takes 100 us, whatever the divider. DS: eight
//     SCK periods. [SPITakes100Microseconds]
//
// Everything else that the tests ask agrees: results and all flags of every
// arithmetic, logic, shift and multiply instruction on all operand pairs
// [FlagsAgreeWithTheManual], and the cycles of all instructions on 16- and 22-bit
// PCs [CyclesAgreeWithTheManual].
package simavr
