package report

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Source is a source file that code came from. Lines is empty, and Note says why, if it cannot be shown.
type Source struct {
	File  string   `json:"file"`
	Found string   `json:"found"` // the path it was read from
	Lines []string `json:"lines"`
	Note  string   `json:"note"`
}

const (
	maxSource = 1 << 20 // bytes of a file that is shown
	maxUp     = 5       // how far above the firmware sources are looked for
)

// FindSource reads a source file: where the firmware's debug information says, from here or from a folder above the firmware, or
// else beside the firmware by its name.
func FindSource(file, firmware string, read func(path string) ([]byte, error)) Source {
	s := Source{File: file, Lines: []string{}, Note: "not found; give motehound the folder that it was compiled in as the working directory"}
	for _, path := range candidates(file, firmware) {
		text, err := read(path)
		if err != nil {
			continue
		}
		s.Found, s.Note = path, ""
		if len(text) > maxSource || bytes.IndexByte(text, 0) >= 0 {
			s.Note = "too large, or not text"
			break
		}
		clean := strings.ToValidUTF8(string(text), "\uFFFD")
		s.Lines = strings.Split(strings.TrimSuffix(strings.ReplaceAll(clean, "\r\n", "\n"), "\n"), "\n")
		break
	}
	return s
}

// candidates are the paths at which a source file may be.
func candidates(file, firmware string) []string {
	if file == "" {
		return nil
	}
	if filepath.IsAbs(file) {
		return []string{file, filepath.Join(filepath.Dir(firmware), filepath.Base(file))}
	}
	all := []string{file}
	up := filepath.Dir(firmware)
	for range maxUp {
		all = append(all, filepath.Join(up, file))
		up = filepath.Join(up, "..")
	}
	return append(all, filepath.Join(filepath.Dir(firmware), filepath.Base(file)))
}
