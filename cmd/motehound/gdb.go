package main

import (
	"github.com/spf13/pflag"

	"motehound/job"
	"motehound/show/gdb"
)

// gdbFlags say whether and where gdb may look into a run.
type gdbFlags struct {
	addr   string
	anyone bool
}

func (f *gdbFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.addr, "gdb", "", about("gdb"))
	fl.BoolVar(&f.anyone, "gdb-anyone", false, about("gdb-anyone"))
}

// attach lets gdb look into the run, if it was asked for.
func (f *gdbFlags) attach(host *job.Host, term *terminal) {
	if f.addr != "" {
		host.Debug = gdb.Server{Addr: f.addr, Anyone: f.anyone, Say: term.say}.Debug
	}
}
