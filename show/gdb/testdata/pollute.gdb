# A packet is sent whose first reading is wrong. From there back to the write that broke it, in the mote that did it.
run: pollute
(gdb) inferior 2
(gdb) break RadioC__send if PolluteC__polluted == 1
(gdb) continue
Thread 2.1 "mote 1 (pollute-micaz.elf)" hit Breakpoint 1.2, RadioC__send (
(gdb) delete
(gdb) watch PolluteC__packets[0].readings[0]
(gdb) reverse-continue
Thread 2.1 "mote 1 (pollute-micaz.elf)" hit Hardware watchpoint 2: PolluteC__packets[0].readings[0]
(gdb) backtrace 2
nx_set16 (value=235
#1  AdcNowP__readDone (reading=<optimized out>) at pollute/pollute.c:154
(gdb) print PolluteC__isUnsent[0]
= true
(gdb) monitor pending
none
