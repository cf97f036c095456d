package export

import (
	"fmt"
	"io"
	"slices"

	"motehound/firmware/disk"
	"motehound/observe/signals"
	"motehound/study/builds"
	"motehound/world"
)

// Files are the exports of one run, each the path of a file; "" for none.
type Files struct {
	Perfetto  string
	VCD       string
	LCOV      string
	Cobertura string
	Pprof     string
	Pcap      string
	Chart     string
	Vars      []string // variables with a track of their own in Perfetto and VCD, as --var names them
}

// format is one of the exports.
type format struct {
	flag   string
	path   string
	record func(w *world.World, to io.Writer) (done func() error, err error)
}

func (f *Files) formats(vars [][]string, explored bool) []format {
	return []format{
		{"--perfetto", f.Perfetto, func(w *world.World, to io.Writer) (func() error, error) { return recordPerfetto(w, to, vars, explored) }},
		{"--vcd", f.VCD, func(w *world.World, to io.Writer) (func() error, error) { return recordVCD(w, to, vars) }},
		{"--lcov", f.LCOV, recordLCOV},
		{"--cobertura", f.Cobertura, recordCobertura},
		{"--pprof", f.Pprof, recordPprof},
		{"--pcap", f.Pcap, recordPcapng},
		{"--chart", f.Chart, func(w *world.World, to io.Writer) (func() error, error) { return recordChart(w, to, f.Chart) }},
	}
}

// Asked reports whether there is a file to write.
func (f Files) Asked() bool {
	return slices.ContainsFunc(f.formats(nil, false), func(x format) bool { return x.path != "" })
}

// Attach makes the files, and has a world observed for them. Done finishes them; without it they stay as they were before. An explored run, whose motes
// have no common clock, has no chart of its frames.
func (f Files) Attach(w *world.World, explored bool) (done func() error, err error) {
	if explored {
		f.Chart = ""
	}
	vars := make([][]string, len(w.Motes()))
	for _, text := range f.Vars {
		motes, path, err := builds.Of(w).Variable(text)
		if err != nil {
			return nil, fmt.Errorf("--var %s: %w", text, err)
		}
		for _, i := range motes {
			vars[i] = append(vars[i], path)
		}
	}
	var open []func() error
	for _, x := range f.formats(vars, explored) {
		if x.path == "" {
			continue
		}
		file, err := disk.Create(x.path, 0o666)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.flag, err)
		}
		end, err := x.record(w, file)
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("%s: %w", x.flag, err)
		}
		open = append(open, func() error {
			defer file.Close()
			err := end()
			if err == nil {
				err = file.Commit()
			}
			if err != nil {
				return fmt.Errorf("%s: %w", x.flag, err)
			}
			return nil
		})
	}
	return func() error {
		for _, end := range open {
			if err := end(); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// recordPcapng has the frames of a world written as a capture.
func recordPcapng(w *world.World, to io.Writer) (done func() error, err error) {
	p, err := newPcapng(to, pcapngOptions{MoteName: func(i int) string { return signals.MoteName(w, i) }})
	if err != nil {
		return nil, err
	}
	w.Observe(world.Observer{Frame: func(f world.Frame) {
		_ = p.frame(f) // the first error is kept, and comes with Close
	}})
	return p.Close, nil
}
