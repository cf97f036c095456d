# One mote: breakpoints, structs, watchpoints, steps, all of them backwards too.
run: blink
(gdb) info threads
Thread 1.1 "mote 0 (blink-micaz.elf)" (running)
(gdb) break TimerC__startPeriodic if timer == 1
(gdb) continue
Breakpoint 1, TimerC__startPeriodic (timer=BlinkC__Timer1, period=500) at kernel/timer.c:72
(gdb) print VirtualizeTimerC__m_timers
{{t0 = 0, dt = 250, isRunning = true, isOneShot = false}, {t0 = 0, dt = 0, isRunning = false
(gdb) ptype VirtualizeTimerC__m_timers[0]
_Bool isRunning : 1;
(gdb) delete
(gdb) watch VirtualizeTimerC__m_timers[1].dt
Hardware watchpoint 2
(gdb) continue
Old value = 0
New value = 244
(gdb) continue
Old value = 244
New value = 500
(gdb) reverse-continue
Old value = 500
New value = 244
(gdb) reverse-continue
Old value = 244
New value = 0
kernel/timer.c:65
(gdb) continue
Old value = 0
New value = 244
(gdb) delete
(gdb) backtrace
#0
VirtualizeTimerC__start (isOneShot=false, dt=500, timer=BlinkC__Timer1) at kernel/timer.c:65
#1  TimerC__startPeriodic (timer=BlinkC__Timer1, period=500) at kernel/timer.c:73
#2  0x000000ee in BootC__booted () at blink/blink.c:14
#3  0x00000680 in main () at kernel/main.c:16
(gdb) info registers pc
0x3e2
(gdb) stepi
(gdb) info registers pc
0x3e4
(gdb) reverse-stepi
(gdb) info registers pc
0x3e2
(gdb) next
66
(gdb) reverse-next
65
(gdb) break BootC__booted
(gdb) reverse-continue
BootC__booted () at blink/blink.c:13
(gdb) next
14
(gdb) step
TimerC__startPeriodic (timer=BlinkC__Timer1, period=500) at kernel/timer.c:73
(gdb) finish
BootC__booted () at blink/blink.c:15
(gdb) reverse-step
(gdb) reverse-finish
(gdb) x/2xb 0x800100
0x00	0x00
(gdb) x/2xb 0x810000
0xff	0xff
(gdb) x/1xh 0
0x940c
(gdb) x/1xb 0x820000
Cannot access memory
(gdb) set var TOS_NODE_ID = 5
Cannot access memory
(gdb) set $r5 = 1
Could not write register
(gdb) print TOS_NODE_ID
= 0
(gdb) delete
(gdb) rwatch ClockC__base
(gdb) continue
Value = 0
(gdb) delete
(gdb) awatch SchedulerBasicP__m_head
(gdb) continue
SchedulerBasicP__m_head
(gdb) delete
(gdb) hbreak BlinkC__Timer0__fired
Hardware assisted breakpoint
(gdb) continue
BlinkC__Timer0__fired () at blink/blink.c:20
(gdb) delete
(gdb) continue
No more reverse-execution history.
(gdb) monitor time
1s, of 1s
(gdb) reverse-continue
No more reverse-execution history.
(gdb) monitor time
0s, of 1s
