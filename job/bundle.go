package job

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"motehound/firmware/disk"
	"motehound/study/property"
	"motehound/world"
	"motehound/world/recipe"
)

// Bundler writes recipes together with the files that they name. It has read them before the run, so that a rebuild meanwhile does no harm.
type Bundler struct {
	files map[string][]byte // by their names in the recipe
}

// NewBundler reads the files of a recipe; nil if no bundle was asked for.
func NewBundler(asked bool, out string, rec *recipe.Recipe) (*Bundler, error) {
	switch {
	case !asked:
		return nil, nil
	case out == "":
		return nil, errors.New("--bundle needs --out: the folder to keep it in")
	}
	b := &Bundler{files: map[string][]byte{}}
	_, err := rec.Bundle(func(name string) (data []byte, err error) {
		data, err = OpenFirmware(FoundBeside(rec, name))
		b.files[name] = data
		return data, err
	})
	if err != nil {
		return nil, fmt.Errorf("--bundle: %w", err)
	}
	return b, nil
}

// Write keeps a recipe as a bundle, beside where it is a file of its own, and gives its name.
func (b *Bundler) Write(rec *recipe.Recipe, recipePath string) (string, error) {
	if b == nil {
		return "", nil
	}
	data, err := rec.Bundle(func(name string) ([]byte, error) {
		if data, ok := b.files[name]; ok {
			return data, nil
		}
		return nil, fmt.Errorf("%s is not one of the files of this run", name)
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

// ChecksOf is what a recipe's finding is looked for with. The descriptions of kernels must be what they were.
func ChecksOf(rec *recipe.Recipe, cfg *world.Config) (property.Options, error) {
	opt := property.OptionsOf(rec.Checks)
	if rec.Checks == nil || len(rec.Checks.Kernels) == 0 {
		return opt, nil
	}
	w, err := world.New(cfg, world.Natural{})
	if err != nil {
		return opt, err
	}
	opt.Kernels, err = DescribedKernels(w, rec.Checks.Kernels, func(name string) ([]byte, error) { return rec.Open(name, readKernel) })
	return opt, err
}
