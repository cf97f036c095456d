# Two motes at the same moment: both stop, forwards and backwards.
run: pair
(gdb) break main
(gdb) continue
Thread 1.1 "mote 0 (blink-micaz.elf)" hit Breakpoint 1.
(gdb) continue
Thread 2.1 "mote 1 (blink-micaz.elf)" hit Breakpoint 1.
(gdb) stepi
PlatformC__init
(gdb) stepi
(gdb) reverse-continue
Thread 2.1 "mote 1 (blink-micaz.elf)" hit Breakpoint 1.
(gdb) reverse-continue
Thread 1.1 "mote 0 (blink-micaz.elf)" hit Breakpoint 1.
(gdb) thread 2.1
(gdb) delete
(gdb) stepi
(gdb) info registers pc
0x63a
(gdb) reverse-stepi
(gdb) info registers pc
0x66a
(gdb) watch VirtualizeTimerC__m_timers[2].isRunning
(gdb) continue
Thread 2.1 "mote 1 (blink-micaz.elf)" hit Hardware watchpoint 2
Old value = false
New value = true
(gdb) inferior 1
(gdb) watch VirtualizeTimerC__m_timers[2].isRunning
(gdb) reverse-continue
Thread 2.1 "mote 1 (blink-micaz.elf)" hit Hardware watchpoint 2
Old value = true
New value = false
(gdb) reverse-continue
Thread 1.1 "mote 0 (blink-micaz.elf)" hit Hardware watchpoint 3
Old value = true
New value = false
(gdb) continue
Thread 1.1 "mote 0 (blink-micaz.elf)" hit Hardware watchpoint 3
(gdb) continue
Thread 2.1 "mote 1 (blink-micaz.elf)" hit Hardware watchpoint 2
(gdb) monitor motes
mote 0
* mote 1
