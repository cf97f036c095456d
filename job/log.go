package job

import (
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"motehound/firmware/disk"
	"motehound/firmware/jsonfile"
	"motehound/firmware/pathtrace/instrument"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/record"
)

// Log says how to read a log.
type Log struct {
	Map    string `json:"trace_map,omitempty"` // the file that trace cc writes; "" for trace-map.json
	Layout string `json:"layout"`              // chunk size x chunks of a page

	read *instrument.Map // once it was read
}

// UsualLayout is a log's, if the firmware was not built with another.
const UsualLayout = "33x8"

// DefaultMap is the map's file where none is given.
const DefaultMap = "trace-map.json"

// ParseLayout reads the sizes of the mote's log.
func (f *Log) ParseLayout() (record.Layout, error) {
	var l record.Layout
	var rest string
	if n, _ := fmt.Sscanf(f.Layout+" ", "%dx%d%s", &l.Chunk, &l.Chunks, &rest); n != 2 {
		return l, fmt.Errorf("--layout %q: write MH_TRACE_CHUNK x MH_TRACE_CHUNKS, such as 33x8", f.Layout)
	}
	if err := l.Check(); err != nil {
		return l, fmt.Errorf("--layout: %w", err)
	}
	return l, nil
}

// Open reads a log and the map for it.
func (f *Log) Open(name string, h Host) (*record.Log, *narrative.Teller, error) {
	l, err := f.ParseLayout()
	if err != nil {
		return nil, nil, err
	}
	teller, err := f.Teller(h)
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

// Teller reads the map. Without one, procedures have numbers only.
func (f *Log) Teller(h Host) (*narrative.Teller, error) {
	name := f.Map
	if name == "" {
		if _, err := os.Stat(DefaultMap); err != nil {
			h.note("no map: procedures and paths are shown by number; give --trace-map")
			return narrative.New(nil), nil
		}
		name = DefaultMap
	}
	if example, ok := strings.CutPrefix(name, ExamplePrefix); ok {
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

// Matches says what is wrong if the map is not that of a firmware, which is named as seen from here, or from a folder. Firmware that
// is no ELF file has no symbols to tell it by.
func (f *Log) Matches(firmware, folder string) error {
	if f.read == nil {
		return nil
	}
	data, err := OpenFirmware(firmware)
	if err != nil {
		var again error
		if data, again = OpenFirmware(filepath.Join(folder, firmware)); again != nil {
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
		return fmt.Errorf("--trace-map %s, firmware %s: %w", cmp.Or(f.Map, DefaultMap), firmware, err)
	}
	return nil
}
