#!/bin/sh
# Makes the ELF fixtures again, with avr-gcc. They are committed, as tests pin what
# is in them; the prefix map keeps the builder's directories out.
set -e
cd "$(dirname "$0")"
cc() { # mcu, debug flag, output, sources...
    mcu=$1 debug=$2 out=$3
    shift 3
    avr-gcc -mmcu="$mcu" -Os $debug -gno-record-gcc-switches -fdebug-prefix-map="$PWD"=/src -ffunction-sections -fdata-sections -Wl,--gc-sections $extra -o "$out" "$@"
}
types="types.c types2.c"
extra= cc atmega128 -gdwarf-4 types-dwarf4.elf $types
extra= cc atmega128 -gdwarf-2 types-dwarf2.elf $types
extra= cc atmega128 -gstabs types-stabs.elf $types
extra= cc atmega128 -g0 types-nodebug.elf $types
extra=-Wl,--emit-relocs cc atmega128 -gdwarf-4 types-relocs.elf $types
avr-strip -o types-stripped.elf types-nodebug.elf
avr-objcopy -O ihex types-dwarf4.elf types.hex
avr-objcopy -O srec types-dwarf4.elf types.srec
extra= cc atmega128 -gdwarf-4 calls-dwarf4.elf calls.c
extra=-Wl,--no-gc-sections cc atmega128 -gdwarf-4 calls-nogc.elf calls.c
extra=-Wl,--no-gc-sections cc atmega128 -gdwarf-2 calls-nogc2.elf calls.c
extra= cc atmega128 "-gdwarf-2 -gstrict-dwarf" calls-dwarf2.elf calls.c
extra= cc atmega2560 -gdwarf-3 calls-avr6.elf calls.c
avr-gcc -mmcu=atmega328p -Os -gdwarf-4 -gno-record-gcc-switches -fdebug-prefix-map="$PWD"=/src -nostartfiles -o bare.elf bare.c
avr-gcc -mmcu=atmega128 -Os -c -o object.elf types2.c
chmod 644 ./*.elf ./*.srec
