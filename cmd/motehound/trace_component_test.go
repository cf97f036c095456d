package main

import (
	"os"
	"strings"
	"testing"
)

// Components for each kernel, and a configuration in which the application is as it was.
func TestTraceComponent(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args   string
		status int
		want   string // a file, and what is in it
	}{
		{"--app BlinkAppC tinyos2", exitFine, "motehound/TracedBlinkAppC.nc: components BlinkAppC, MotehoundTraceSerialC;"},
		{"--app App --over radio,serial tinyos2 x", exitFine, "x/TracedApp.nc: components App, MotehoundTraceRadioC, MotehoundTraceSerialC;"},
		{"--app Surge --over radio tinyos1 y", exitFine, "y/TracedSurge.nc: components Surge, MotehoundTraceRadioC;"},
		{"tinyos1 y", exitFine, "y/MotehoundTraceSerialM.nc: mh_trace_request("},
		{"contiki z", exitFine, "z/motehound_trace_contiki.c: mh_trace_request("},
		{"--app A --over radio,serial tinyos1", exitUsage, ""},
		{"--app A --over air tinyos2", exitUsage, ""},
		{"--app A contiki", exitUsage, ""},
		{"tinyos3", exitUsage, ""},
	} {
		r := motehound(t, append([]string{"trace", "component"}, strings.Fields(c.args)...)...)
		file, text, _ := strings.Cut(c.want, ": ")
		if r.status != c.status || !strings.Contains(r.stdout, file) {
			t.Errorf("%s: status %d: %s%s", c.args, r.status, r.stdout, r.stderr)
		}
		if file == "" {
			continue
		}
		if got, err := os.ReadFile(file); err != nil || !strings.Contains(string(got), text) {
			t.Errorf("%s: %v: %s", c.args, err, got)
		}
	}
}
