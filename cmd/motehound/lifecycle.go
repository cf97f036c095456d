package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"motehound/firmware/kernel"
	"motehound/world"
	"motehound/world/disk"
	"motehound/world/lifecycle"
)

// lifecycleFlags are the flags of commands that print lifecycle items.
type lifecycleFlags struct {
	lifecycle string
	kernel    string
}

func (f *lifecycleFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.lifecycle, "lifecycle", "", about("lifecycle"))
	fl.StringVar(&f.kernel, "kernel", "", about("kernel"))
}

// lifecycleLine is an item as JSON.
type lifecycleLine struct {
	Time  float64 `json:"time_s"`
	Mote  uint16  `json:"mote"`
	Kind  string  `json:"kind"`
	Arg   uint16  `json:"arg"`
	Name  string  `json:"name,omitempty"`
	Cycle uint64  `json:"cycle"`
}

// record writes items as they happen. The returned function ends the file.
func (f *lifecycleFlags) record(w *world.World, term *terminal) (done func() error, err error) {
	if f.lifecycle == "" {
		if f.kernel != "" {
			return nil, fmt.Errorf("--kernel %s: nothing asks for it without --lifecycle", f.kernel)
		}
		return func() error { return nil }, nil
	}
	described, err := readKernel(f.kernel)
	if err != nil {
		return nil, err
	}
	done = func() error { return nil }
	var to io.Writer
	if f.lifecycle != "-" {
		file, err := disk.Create(f.lifecycle, 0o666)
		if err != nil {
			return nil, fmt.Errorf("--lifecycle: %w", err)
		}
		out := bufio.NewWriter(file)
		to, done = out, func() error {
			defer file.Close()
			err := out.Flush()
			if err == nil {
				err = file.Commit()
			}
			if err != nil {
				return fmt.Errorf("--lifecycle: %w", err)
			}
			return nil
		}
	}
	asJSON := strings.HasSuffix(f.lifecycle, ".jsonl")
	var r *lifecycle.Recorder
	r, err = lifecycle.RecordAs(w, described, func(i int, it kernel.Item) {
		m := w.Motes()[i]
		name := itemName(r.Profile(i), m.Chip().VectorName, it)
		switch {
		case asJSON:
			line, err := json.Marshal(lifecycleLine{float64(m.Time()) / world.Second, m.ID(), it.Kind.String(), it.Arg, name, it.Cycle})
			if err != nil {
				panic("BUG: " + err.Error())
			}
			to.Write(append(line, '\n')) // bufio keeps the error for Flush
		case to != nil:
			fmt.Fprintln(to, lifecycleText(m.Time(), m.ID(), it, name))
		default:
			term.line("%s", lifecycleText(m.Time(), m.ID(), it, name))
		}
	})
	if err != nil {
		return nil, err
	}
	for _, p := range r.Profiles() {
		term.note("kernel %s: %s", p.Kernel, p.Why)
	}
	return done, nil
}

// lifecycleText is an item for people.
func lifecycleText(ps uint64, mote uint16, it kernel.Item, name string) string {
	text := fmt.Sprintf("%s mote %d %s", seconds(ps), mote, it.Kind)
	if name != "" {
		text += " " + name
	}
	return fmt.Sprintf("%s, cycle %d", text, it.Cycle)
}

// itemName names what an item is about: a vector or a task.
func itemName(p *kernel.Profile, vector func(uint8) string, it kernel.Item) string {
	switch it.Kind {
	case kernel.Reset:
		return ""
	case kernel.Int, kernel.Reti:
		return vector(uint8(it.Arg))
	}
	return p.TaskName(it.Arg)
}

// readKernel reads the file of --kernel; without one it gives nil.
func readKernel(name string) (*kernel.Description, error) {
	if name == "" {
		return nil, nil
	}
	text, err := disk.Read(name, 1<<20)
	if err != nil {
		return nil, err
	}
	return kernel.ParseDescription(name, text)
}
