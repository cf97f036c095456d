# gdb leaves in every way, and the next one finds the network where it was.
run: pair
(gdb) break BlinkC__Timer0__fired
(gdb) continue
hit Breakpoint 1.1, BlinkC__Timer0__fired ()
(gdb) detach
[Inferior 1 (process 1) detached]
(gdb) inferior 2
(gdb) detach
[Inferior 2 (process 2) detached]
(reconnect)
(gdb) backtrace 1
BlinkC__Timer0__fired () at blink/blink.c:20
(gdb) stepi
(gdb) kill
killed
(reconnect)
(gdb) info threads
0x00000100 in BlinkC__Timer0__fired
(gdb) stepi
(gdb) disconnect
(reconnect)
(gdb) monitor time
0.2
