package job

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"motehound/examples"
	"motehound/firmware/disk"
	"motehound/firmware/image"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/world/recipe"
)

// ExamplePrefix marks firmware that is built in.
const ExamplePrefix = "example:"

// OpenFirmware reads a firmware file, or a built-in example, by the name that a recipe has for it.
func OpenFirmware(name string) ([]byte, error) {
	if example, ok := strings.CutPrefix(name, ExamplePrefix); ok {
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
		if hint := phrase.DidYouMean(name, names); hint != "" {
			return examples.Firmware{}, fmt.Errorf("no built-in example %s%s", name, hint)
		}
	}
	return examples.Firmware{}, fmt.Errorf("no built-in example %s; there are %s", name, strings.Join(full, ", "))
}

// Examples are the names of the built-in firmware.
func Examples() (names []string) {
	for _, f := range examples.All {
		names = append(names, ExamplePrefix+strings.TrimSuffix(f.File(), ".elf"))
	}
	return names
}

// AboutExample says what a built-in firmware does.
func AboutExample(name string) string {
	f, err := findExample(strings.TrimPrefix(name, ExamplePrefix), "")
	if err != nil {
		return ""
	}
	return f.About
}

// ExampleSource is a source file of the built-in firmware, by the path that its debug information has.
func ExampleSource(path string) ([]byte, bool) {
	name, ok := strings.CutPrefix(filepath.ToSlash(path), "examples/")
	if !ok {
		return nil, false
	}
	text, err := examples.Sources.ReadFile(name)
	return text, err == nil
}

// DemoFiles are the examples that the demo runs, by their paths in the repository.
func DemoFiles() fs.FS { return examples.Demo }

// Boards are the names of the boards.
func Boards() []string {
	return phrase.NamesOf(board.All(), func(b *board.Board) string { return b.Name })
}

// Chips are the names of the chips.
func Chips() []string { return phrase.NamesOf(chip.All(), func(c *chip.Chip) string { return c.Name }) }

// Hardware is what the motes are: a board, or a bare chip with its clock. It is guessed from the firmware if nothing is said.
type Hardware struct {
	Board string `json:"board,omitempty"`
	Chip  string `json:"chip,omitempty"`
	Hertz uint64 `json:"hz,omitempty"`
}

// Choose fills in what a firmware runs on: as the request says, or as the file lets one guess. The note says what was guessed.
func (t Hardware) Choose(name string, m *recipe.Mote) (im *image.Image, note string, err error) {
	switch {
	case t.Board != "" && t.Chip != "":
		return nil, "", fmt.Errorf("give --board or --chip, not both: a board has its own chip")
	case t.Hertz != 0 && t.Chip == "":
		return nil, "", fmt.Errorf("--hz needs --chip: a board has its own crystal")
	}
	m.Firmware = filepath.ToSlash(name)
	if example, ok := strings.CutPrefix(name, ExamplePrefix); ok {
		f, err := findExample(example, t.Board+t.Chip)
		if err != nil {
			return nil, "", err
		}
		m.Firmware = ExamplePrefix + strings.TrimSuffix(f.File(), ".elf")
		if t == (Hardware{}) {
			t.Board, t.Chip = f.Board, f.Chip
			note = "runs on " + f.Board + f.Chip + ", which it was built for"
		}
	}
	data, err := OpenFirmware(m.Firmware)
	if err != nil {
		return nil, "", err
	}
	if im, err = image.Parse(m.Firmware, data); err != nil {
		return nil, "", err
	}
	switch {
	case t.Board != "":
		b, err := board.Find(t.Board)
		if err != nil {
			return nil, "", err
		}
		m.Board = b.Name
	case t.Chip != "":
		c, err := chip.Find(t.Chip)
		if err != nil {
			return nil, "", err
		}
		m.Chip, m.Hertz = c.Name, t.Hertz
		if t.Hertz == 0 {
			m.Hertz = mote.UsualHertz(c)
			note = fmt.Sprintf("no --hz given: using %s", phrase.Hertz(m.Hertz))
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
			note = fmt.Sprintf("no --board given: using a bare %s at %s, because %s", b.Chip.Name, phrase.Hertz(b.Hertz), why)
		}
	}
	return im, note, nil
}

// builtOf lists the firmware files of a run, each once for all motes that run it on the same board.
func builtOf(r *recipe.Recipe) []document.Built {
	list := []document.Built{}
	for _, m := range r.Motes {
		b := document.Built{Firmware: m.Firmware, SHA256: m.SHA256, Board: cmp.Or(m.Board, m.Chip)}
		at := slices.IndexFunc(list, func(x document.Built) bool {
			return x.Firmware == b.Firmware && x.SHA256 == b.SHA256 && x.Board == b.Board
		})
		if at < 0 {
			at = len(list)
			list = append(list, b)
		}
		list[at].Motes = append(list[at].Motes, int(m.ID))
	}
	return list
}
