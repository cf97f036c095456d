# Motes with different firmware are different processes, with symbols of their own.
run: mixed
(gdb) info inferiors
target:/1/counter-micaz.elf
target:/2/blink-micaz.elf
(gdb) break main
(2 locations)
(gdb) continue
Thread 2.1 "mote 1 (blink-micaz.elf)" hit Breakpoint
(gdb) continue
Thread 1.1 "mote 0 (counter-micaz.elf)" hit Breakpoint
(gdb) delete
(gdb) break BlinkC__Timer0__fired
(gdb) continue
Thread 2.1 "mote 1 (blink-micaz.elf)" hit Breakpoint 2, BlinkC__Timer0__fired ()
(gdb) reverse-stepi
(gdb) stepi
Thread 2.1 "mote 1 (blink-micaz.elf)" hit Breakpoint 2, BlinkC__Timer0__fired ()
(gdb) detach
[Inferior 2 (process 2) detached]
(gdb) inferior 1
(gdb) stepi
(gdb) info threads
counter-micaz.elf
