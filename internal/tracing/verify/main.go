// Command verify runs a traced firmware in the emulator, pulls its log by asking the mote, and compares it with what the emulator saw: what
// the tracer was told, up to the question, and which handlers began and ended.
//
//	go run ./internal/tracing/verify --board micaz --time 60s app.elf trace-map.json
//
// It is for firmware that is built elsewhere; internal/tracing does the same, and more, for the examples.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"motehound/firmware/image"
	"motehound/firmware/pathtrace/instrument"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/periph"
	"motehound/study/fieldtrace/pull"
	"motehound/study/fieldtrace/record"
	"motehound/world"
	"motehound/world/medium"
)

func main() {
	on := flag.String("board", "micaz", "the motes' board")
	length := flag.Duration("time", time.Minute, "how long it runs before it is asked")
	base := flag.String("base", "", "firmware of a base station, to ask over the radio")
	motes := flag.Int("motes", 1, "how many motes run the firmware; the first is asked")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: verify [flags] FIRMWARE MAP")
		os.Exit(2)
	}
	if err := run(*on, flag.Arg(0), flag.Arg(1), *base, *motes, uint64(length.Nanoseconds())*1000); err != nil {
		fmt.Fprintln(os.Stderr, "verify:", err)
		os.Exit(1)
	}
}

func run(on, firmware, mapFile, base string, motes int, until uint64) error {
	b, err := board.Find(on)
	if err != nil {
		return err
	}
	f, err := os.Open(mapFile)
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := instrument.Read(f)
	if err != nil {
		return err
	}
	kinds := []*mote.Kind{}
	for _, name := range []string{firmware, base} {
		if name == "" {
			continue
		}
		im, err := image.Load(name)
		if err != nil {
			return err
		}
		k, err := mote.NewKind(b, im, nil)
		if err != nil {
			return err
		}
		kinds = append(kinds, k)
	}
	cfg := &world.Config{Stagger: 100_000}
	for i := range motes {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: kinds[0], ID: uint16(i + 1)})
	}
	at := 0
	if base != "" {
		at = motes
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: kinds[1], ID: 100})
	}
	if n := len(cfg.Motes); n > 1 {
		if cfg.Net, err = medium.New(n, medium.Full(n, medium.DefaultGain, 0)); err != nil {
			return err
		}
	}
	w, err := world.New(cfg, world.Natural{Seed: 1})
	if err != nil {
		return err
	}
	s := watch(w, m, kinds[0])
	l := link(w, at)
	w.RunUntil(until)
	pieces, err := pull.Pull(l, record.AT45DB, pull.Query{Proc: -1}, nil)
	if err != nil {
		return err
	}
	log, err := record.ReadPieces(record.AT45DB, pieces)
	if err != nil {
		return err
	}
	return s.compare(log)
}

// link is the serial line of a mote.
func link(w *world.World, at int) pull.Link {
	var sent []byte
	console := w.Motes()[at].Board().Console
	w.Observe(world.Observer{Serial: func(m int, usart uint8, c periph.SerialChar) {
		if m == at && usart == console {
			sent = append(sent, c.Data.V())
		}
	}})
	return &pull.Frames{
		Mote: w.Motes()[0].ID(),
		Write: func(b []byte) error {
			sent = nil
			w.SerialIn(world.Serial{Mote: at, USART: console, At: w.Now(), Bytes: b})
			return nil
		},
		Read: func() ([]byte, bool, error) {
			end := w.Now() + 3*world.Second
			for len(sent) == 0 && w.Now() < end {
				w.RunUntil(min(w.Now()+world.Millisecond, end))
			}
			b := sent
			sent = nil
			return b, len(b) > 0, nil
		},
	}
}
