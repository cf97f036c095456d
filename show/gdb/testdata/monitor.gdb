# What gdb cannot say: the commands of motehound debug.
run: counter
(gdb) monitor help
who VARIABLE
time
hash
(gdb) monitor
goto TIME
(gdb) monitor evnts
there is no command "evnts"
(gdb) monitor goto yesterday
yesterday
(gdb) monitor goto 600ms
0.600000 s, mote 0, asleep (idle)
maintenance flush register-cache
(gdb) maintenance flush register-cache
(gdb) monitor time
0.6s, of 1s
(gdb) monitor motes
* mote 0     asleep (idle)
mote 2     asleep (idle)
(gdb) info threads
"mote 2 (counter-micaz.elf)" (asleep: idle) McuSleepC__McuSleep__sleep ()
(gdb) monitor choices
(gdb) monitor who-wrote 0.SchedulerBasicP__m_head
mote 0, SchedulerBasicP.popTask at examples/kernel/scheduler.c:29
(gdb) monitor pending
none
(gdb) monitor hash
(gdb) monitor time
0.6s, of 1s
(gdb) monitor mote 2
(gdb) monitor who-wrote SchedulerBasicP__m_head
mote 2, SchedulerBasicP.popTask at examples/kernel/scheduler.c:29
