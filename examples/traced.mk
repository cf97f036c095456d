# Apps that come with a tracer too, for the Mica boards: elf/<app>_traced-<board>.elf is the same sources with
# motehound trace, and elf/<app>_traced-<board>.map.json reads its log back. <app>_TRACED says what is traced of it. base is the bridge over which the host asks for traces.

TRACED        = blink oscilloscope surge
TRACED_BOARDS = micaz mica2

base_USES         = $(SERIAL)
oscilloscope_USES = adc photo $(SERIAL)
surge_USES        = adc photo
starve_USES       = random mica/micro adc $(addprefix mica2/cc1000_,bus control csma)

blink_TRACED        = --single-path --component blink
oscilloscope_TRACED = --single-path --component oscilloscope
surge_TRACED        = --single-path --component surge
surge_ROUTED        = --component surge --component route
starve_TRACED       = --function __vector_17 --component link --component starve --function QueueP__run__runTask

# Which have the board's radio, and which answer questions about their trace.
RADIO_TRACED = surge
ASKED        = oscilloscope surge starve

all: $(foreach b,$(TRACED_BOARDS),elf/base-$b.elf $(filter-out elf/blink-%,$(TRACED:%=elf/%-$b.elf)) $(TRACED:%=elf/%_traced-$b.elf)) \
	$(TRACED_BOARDS:%=elf/surge_routed_traced-%.elf) \
	elf/starve-mica2.elf elf/starve_fixed-mica2.elf elf/starve_traced-mica2.elf elf/starve_fixed_traced-mica2.elf

# The tracer's own sources are compiled like the kernel's, by names that do not depend on where the repository is.
TRACER     = ../firmware/pathtrace/runtime/src
TRACER_C   = $(addprefix $(TRACER)/motehound_trace,.c _sequence.c _log.c _idle.c _at45db.c)
MOTEHOUND  = build/motehound
TRACE_WITH = -DTRACED -DMH_TRACE_PROCS=64 -DMH_TRACE_CONFIG='"trace_config.h"' -I$(TRACER)

# app, board, what the app uses, what to add to its name, switches; what is traced, if it is not <app>_TRACED.
define traced
elf/$1$4-$2.elf: $(wildcard $1/*.c) $(CORE:%=kernel/%.c) $(3:%=kernel/%.c) kernel/$($2_FAMILY)/clock.c \
		kernel/$($2_FAMILY)/platform.c $(TRACER_C) $(if $(filter $1,$(ASKED)),kernel/trace.c $(TRACER)/motehound_trace_query.c) \
		$(wildcard $1/*.h kernel/*.h kernel/$($2_FAMILY)/*.h kernel/$2/*.h $(TRACER)/*.h) Makefile traced.mk | $(MOTEHOUND)
	$(MOTEHOUND) trace cc --quiet --runtime none --procs 64 $(or $6,$($1_TRACED)) --trace-map elf/$1$4-$2.map.json -- \
		$(CC_AVR) -mmcu=$($2_MCU) $(CFLAGS) $(TRACE_WITH) $5 -I$1 -Ikernel -Ikernel/$2 -Ikernel/$($2_FAMILY) -o $$@ $$(filter %.c,$$^)
	rm -f elf/$1$4-$2.map.json.lock
endef

$(foreach b,$(TRACED_BOARDS),$(eval $(call firmware,base,$b,$(base_USES) $($b_RADIO))))
$(foreach b,$(TRACED_BOARDS),$(eval $(call firmware,oscilloscope,$b,$(oscilloscope_USES))))
$(foreach b,$(TRACED_BOARDS),$(eval $(call firmware,surge,$b,$(surge_USES) $($b_RADIO))))
$(foreach a,$(TRACED),$(foreach b,$(TRACED_BOARDS),$(eval $(call traced,$a,$b,$($a_USES) $(if $(filter $a,$(RADIO_TRACED)),$($b_RADIO)),_traced))))

$(foreach b,$(TRACED_BOARDS),$(eval $(call traced,surge,$b,$(surge_USES) $($b_RADIO),_routed_traced,,$(surge_ROUTED))))

# The link is the app's own, with the kernel's in it.
$(eval $(call firmware,starve,mica2,$(starve_USES)))
$(eval $(call firmware,starve,mica2,$(starve_USES),_fixed,-DFIXED))
# Its handlers are traced, which must wait for tasks to take what they put down.
STARVE_WAITING = -DMH_TRACE_WAITING=64
$(eval $(call traced,starve,mica2,$(starve_USES),_traced,$(STARVE_WAITING)))
$(eval $(call traced,starve,mica2,$(starve_USES),_fixed_traced,-DFIXED $(STARVE_WAITING)))

# The compiler knows whether there is something to do.
.PHONY: $(MOTEHOUND)
$(MOTEHOUND):
	cd .. && $(GO) build -pgo=off -o examples/$(MOTEHOUND) ./cmd/motehound

GO ?= go
