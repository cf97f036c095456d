# Conditions are evaluated by us: gdb sends them with the breakpoint.
run: pollute
(gdb) inferior 2
(gdb) set breakpoint condition-evaluation target
(gdb) break SchedulerBasicP__TaskBasic__postTask if $r24 == 2 && PolluteC__readings > 4
(gdb) continue
(gdb) print PolluteC__readings
= 6
(gdb) info breakpoints
(target evals)
