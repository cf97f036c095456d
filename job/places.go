package job

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"motehound/firmware/disk"
	"motehound/job/document"
	"motehound/job/findings"
	"motehound/world/recipe"
)

// Movable is a recipe for a folder: it names firmware and scenario as seen from there, so that all can move together.
func Movable(rec *recipe.Recipe, folder string) *recipe.Recipe {
	return rec.Renamed(func(firmware string) string { return relativeTo(folder, FoundBeside(rec, firmware)) },
		func(file string) string { return relativeTo(folder, file) })
}

// FoundBeside is where a firmware file was found: from where the command runs, or beside the scenario.
func FoundBeside(rec *recipe.Recipe, file string) string {
	if len(rec.Scenario) == 0 || filepath.IsAbs(file) || strings.HasPrefix(file, ExamplePrefix) {
		return file
	}
	if _, err := os.Stat(file); err == nil {
		return file
	}
	return filepath.Join(filepath.Dir(rec.Scenario[0].Name), file)
}

// relativeTo names a file as seen from a folder, so that the two can move together.
func relativeTo(folder, file string) string {
	if strings.HasPrefix(file, ExamplePrefix) {
		return file
	}
	from, err1 := filepath.Abs(folder)
	to, err2 := filepath.Abs(file)
	if err1 != nil || err2 != nil {
		return file
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return to
	}
	return filepath.ToSlash(rel)
}

// KeepReport writes a document into a folder that was asked for with --out.
func KeepReport(folder string, doc any) error {
	return WriteFile("--out", filepath.Join(folder, "report.json"), func(to io.Writer) error { return document.Write(to, doc) })
}

// WriteFile writes the file that a flag names, if it names one.
func WriteFile(flag, path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	if err := disk.Replace(path, 0o666, write); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// keeps makes the folder of --out, if one is asked for, and reports whether one is.
func keeps(out string, resume bool) (bool, error) {
	switch {
	case out == "" && resume:
		return false, errors.New("--resume needs --out: the folder to continue")
	case out == "":
		return false, nil
	}
	return true, os.MkdirAll(out, 0o755)
}

// ReadBaseline reads the findings that were known before, from the file that a flag names; none if it names no file.
func ReadBaseline(path string) ([]findings.Finding, error) {
	if path == "" {
		return nil, nil
	}
	const most = 256 << 20
	data, err := disk.Read(path, most)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	list, err := findings.ReadBaseline(data)
	if err != nil {
		return nil, fmt.Errorf("--baseline %s: %w", path, err)
	}
	return append([]findings.Finding{}, list...), nil
}
