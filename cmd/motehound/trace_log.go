package main

import (
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"motehound/firmware/disk"
	"motehound/firmware/jsonfile"
	"motehound/firmware/pathtrace/instrument"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/record"
)

// logFlags say how to read a log.
type logFlags struct {
	mapFile string
	layout  string
	read    *instrument.Map // once it was read
}

func (f *logFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.StringVar(&f.mapFile, "trace-map", "", about("trace-map"))
	f.registerLayout(fl)
}

func (f *logFlags) registerLayout(fl *pflag.FlagSet) {
	fl.StringVar(&f.layout, "layout", "33x8", "bytes per chunk and chunks per page of the mote's log (`SIZExNUMBER`)")
}

func (f *logFlags) parseLayout() (record.Layout, error) {
	var l record.Layout
	var rest string
	if n, _ := fmt.Sscanf(f.layout+" ", "%dx%d%s", &l.Chunk, &l.Chunks, &rest); n != 2 {
		return l, fmt.Errorf("--layout %q: write MH_TRACE_CHUNK x MH_TRACE_CHUNKS, such as 33x8", f.layout)
	}
	if err := l.Check(); err != nil {
		return l, fmt.Errorf("--layout: %w", err)
	}
	return l, nil
}

// open reads a log and the map for it.
func (f *logFlags) open(name string, term *terminal) (*record.Log, *narrative.Teller, error) {
	l, err := f.parseLayout()
	if err != nil {
		return nil, nil, err
	}
	teller, err := f.teller(term)
	if err != nil {
		return nil, nil, err
	}
	flash, err := disk.Read(name, 256<<20)
	if err != nil {
		return nil, nil, err
	}
	log, err := record.Read(l, flash)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(log.Pages) == 0 {
		return nil, nil, fmt.Errorf("%s has no log in it (%d parts hold something else): give the file of trace pull, or a copy of the mote's flash", name, log.Unread)
	}
	return log, teller, nil
}

// teller reads the map. Without one, procedures have numbers only.
func (f *logFlags) teller(term *terminal) (*narrative.Teller, error) {
	name := f.mapFile
	if name == "" {
		if _, err := os.Stat(defaultMap); err != nil {
			term.note("no map: procedures and paths are shown by number; give --trace-map")
			return narrative.New(nil), nil
		}
		name = defaultMap
	}
	if example, ok := strings.CutPrefix(name, examplePrefix); ok {
		fw, err := findExample(example, "")
		if err != nil {
			return nil, fmt.Errorf("--trace-map: %w", err)
		}
		text := fw.Map()
		if text == nil {
			return nil, fmt.Errorf("--trace-map %s: that example is not traced", name)
		}
		f.read, err = instrument.Read(strings.NewReader(string(text)))
		return narrative.New(f.read), err
	}
	text, err := disk.Read(name, 256<<20)
	if err != nil {
		return nil, fmt.Errorf("--trace-map: %w", err)
	}
	if f.read, err = instrument.Read(bytes.NewReader(text)); err != nil {
		return nil, jsonfile.Named(name, err)
	}
	return narrative.New(f.read), nil
}

// matches says what is wrong if the map is not that of a firmware, which is named as seen from here, or from a folder. Firmware that
// is no ELF file has no symbols to tell it by.
func (f *logFlags) matches(firmware, folder string) error {
	if f.read == nil {
		return nil
	}
	data, err := openFirmware(firmware)
	if err != nil {
		var again error
		if data, again = openFirmware(filepath.Join(folder, firmware)); again != nil {
			return err
		}
	}
	file, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	symbols, err := file.Symbols()
	if err != nil {
		return nil // stripped
	}
	has := map[string]bool{}
	for _, s := range symbols {
		has[s.Name] = true
	}
	if err := f.read.Matches(func(name string) bool { return has[name] }); err != nil {
		return fmt.Errorf("--trace-map %s, firmware %s: %w", cmp.Or(f.mapFile, defaultMap), firmware, err)
	}
	return nil
}

// logTime is a moment of a log for people.
func logTime(l *record.Log, at record.At) string {
	return fmt.Sprintf("%.3f s", float64(at.Ticks)/float64(max(l.Clock, 1)))
}
