package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"motehound/firmware/kernel"
	"motehound/study/property"
	"motehound/world/disk"
	"motehound/world/recipe"
)

// bundler writes recipes together with the files that they name. It has read them before the run, so that a rebuild meanwhile does no harm.
type bundler struct {
	files map[string][]byte // by their names in the recipe
}

const bundleUsage = "also keep each recipe with firmware and scenario as one `file`, which replays anywhere"

// newBundler reads the files of a recipe; nil if no bundle was asked for.
func newBundler(asked bool, out string, rec *recipe.Recipe) (*bundler, error) {
	switch {
	case !asked:
		return nil, nil
	case out == "":
		return nil, errors.New("--bundle: say with --out in which folder to keep it")
	}
	b := &bundler{files: map[string][]byte{}}
	_, err := rec.Bundle(func(name string) (data []byte, err error) {
		data, err = openFirmware(foundBeside(rec, name))
		b.files[name] = data
		return data, err
	})
	if err != nil {
		return nil, fmt.Errorf("--bundle: %w", err)
	}
	return b, nil
}

// write keeps a recipe as a bundle, beside where it is a file of its own, and gives its name.
func (b *bundler) write(rec *recipe.Recipe, recipePath string) (string, error) {
	if b == nil {
		return "", nil
	}
	data, err := rec.Bundle(func(name string) ([]byte, error) {
		if data, ok := b.files[name]; ok {
			return data, nil
		}
		return nil, fmt.Errorf("%s is not among the files of the run", name)
	})
	if err != nil {
		return "", fmt.Errorf("--bundle: %w", err)
	}
	path := strings.TrimSuffix(recipePath, filepath.Ext(recipePath)) + ".zip"
	if err := disk.Write(path, data, 0o666); err != nil {
		return "", fmt.Errorf("--bundle: %w", err)
	}
	return path, nil
}

// checksOf is what a recipe's finding is looked for with. The description of a kernel must be what it was.
func checksOf(rec *recipe.Recipe) (property.Options, error) {
	opt := property.OptionsOf(rec.Checks)
	if rec.Checks == nil || rec.Checks.Kernel == nil {
		return opt, nil
	}
	const limit = 1 << 20
	is := *rec.Checks.Kernel
	text, err := rec.Open(is.Name, func(name string) ([]byte, error) { return disk.Read(name, limit) })
	if err != nil {
		return opt, fmt.Errorf("the kernel's description: %w", err)
	}
	if is.SHA256 != recipe.SourceOf(is.Name, text).SHA256 {
		return opt, fmt.Errorf("%s is not what it was when the finding was made", is.Name)
	}
	opt.Kernel, err = kernel.ParseDescription(is.Name, text)
	return opt, err
}
