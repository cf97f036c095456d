package main

import (
	"fmt"

	"motehound/firmware/disk"
	"motehound/show/export"
	"motehound/world"
)

// capture writes the air into the file of --pcap; done finishes it.
func (f *worldFlags) capture(w *world.World) (done func() error, err error) {
	if f.pcap == "" {
		return func() error { return nil }, nil
	}
	file, err := disk.Create(f.pcap, 0o666)
	if err != nil {
		return nil, fmt.Errorf("--pcap: %w", err)
	}
	name := func(i int) string { return fmt.Sprintf("mote %d", w.Motes()[i].ID()) }
	p, err := export.NewPcapng(file, export.PcapngOptions{MoteName: name})
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("--pcap: %w", err)
	}
	w.Observe(world.Observer{Frame: func(fr world.Frame) {
		_ = p.Frame(fr) // the first error is kept, and comes with Close
	}})
	return func() error {
		if err := p.Close(); err != nil {
			file.Close()
			return fmt.Errorf("--pcap: %w", err)
		}
		if err := file.Commit(); err != nil {
			return fmt.Errorf("--pcap: %w", err)
		}
		return nil
	}, nil
}
