package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"motehound/examples"
	"motehound/firmware/disk"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/world/recipe"
)

// examplePrefix marks firmware that is built in.
const examplePrefix = "example:"

// openFirmware reads a firmware file, or a built-in example, by the name that a recipe has for it.
func openFirmware(name string) ([]byte, error) {
	if example, ok := strings.CutPrefix(name, examplePrefix); ok {
		f, err := findExample(example, "")
		if err != nil {
			return nil, err
		}
		return f.ELF(), nil
	}
	const limit = 64<<20 + 1 // one more than image.Parse takes, so that it can say so
	return disk.Read(name, limit)
}

// findExample finds an example by "blink-micaz", or by "blink" and the board or chip that was asked for, if any.
func findExample(name, target string) (examples.Firmware, error) {
	var full, short []string
	for _, f := range examples.All {
		file := strings.TrimSuffix(f.File(), ".elf")
		if file == name || f.Name == name && (target == "" || strings.EqualFold(target, f.Board+f.Chip)) {
			return f, nil
		}
		if full = append(full, file); !slices.Contains(short, f.Name) {
			short = append(short, f.Name)
		}
	}
	if slices.Contains(short, name) {
		return examples.Firmware{}, fmt.Errorf("the built-in example %s does not exist for %s; there are %s", name, target,
			strings.Join(slices.DeleteFunc(full, func(f string) bool { return !strings.HasPrefix(f, name+"-") }), ", "))
	}
	for _, names := range [][]string{short, full} {
		if hint := didYouMean(name, names); hint != "" {
			return examples.Firmware{}, fmt.Errorf("no built-in example %s%s", name, hint)
		}
	}
	return examples.Firmware{}, fmt.Errorf("no built-in example %s; there are %s", name, strings.Join(full, ", "))
}

// target is what the flags say about the hardware.
type target struct {
	board string
	chip  string
	hertz uint64
}

// choose fills in what a firmware runs on: as the flags say, or as the file lets one guess. The note says what was guessed.
func (t target) choose(name string, m *recipe.Mote) (im *image.Image, note string, err error) {
	switch {
	case t.board != "" && t.chip != "":
		return nil, "", fmt.Errorf("give --board or --chip, not both: a board has its own chip")
	case t.hertz != 0 && t.chip == "":
		return nil, "", fmt.Errorf("--hz needs --chip: a board has its own crystal")
	}
	m.Firmware = filepath.ToSlash(name)
	if example, ok := strings.CutPrefix(name, examplePrefix); ok {
		f, err := findExample(example, t.board+t.chip)
		if err != nil {
			return nil, "", err
		}
		m.Firmware = examplePrefix + strings.TrimSuffix(f.File(), ".elf")
		if t == (target{}) {
			t.board, t.chip = f.Board, f.Chip
			note = "runs on " + f.Board + f.Chip + ", which it was built for"
		}
	}
	data, err := openFirmware(m.Firmware)
	if err != nil {
		return nil, "", err
	}
	if im, err = image.Parse(m.Firmware, data); err != nil {
		return nil, "", err
	}
	switch {
	case t.board != "":
		b, err := board.Find(t.board)
		if err != nil {
			return nil, "", err
		}
		m.Board = b.Name
	case t.chip != "":
		c, err := chip.Find(t.chip)
		if err != nil {
			return nil, "", err
		}
		m.Chip, m.Hertz = c.Name, t.hertz
		if t.hertz == 0 {
			m.Hertz = mote.UsualHertz(c)
			note = fmt.Sprintf("no --hz given: using %s", hertz(m.Hertz))
		}
	default:
		b, why, err := mote.Infer(im)
		if err != nil {
			return nil, "", err
		}
		if _, err := board.Find(b.Name); err == nil {
			m.Board, note = b.Name, fmt.Sprintf("no --board given: using %s, because %s", b.About, why)
		} else {
			m.Chip, m.Hertz = b.Chip.Name, b.Hertz
			note = fmt.Sprintf("no --board given: using a bare %s at %s, because %s", b.Chip.Name, hertz(b.Hertz), why)
		}
	}
	return im, note, nil
}
