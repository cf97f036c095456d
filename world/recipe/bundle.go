package recipe

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"motehound/firmware/jsonfile"
)

// A bundle is a zip file with a recipe and every file that the recipe names. Read takes one in place of a recipe, and from then on nothing
// outside of it is read. The names of its files are those in its recipe.

// Bounds of a bundle.
const (
	maxBundle   = 64 << 20  // bytes, and of one file in it
	maxUnpacked = 256 << 20 // bytes of all files
	maxBundled  = 4096      // files
)

const (
	bundledRecipe = "recipe.json" // the first file
	zipMagic      = "PK\x03\x04"
	zipEntry      = "PK\x01\x02" // begins each entry of the directory
)

// Bundle is the recipe and the files that it names as one file. Open reads these files; each has to be what the recipe says. The same
// recipe and files give the same bytes.
func (r *Recipe) Bundle(open Opener) ([]byte, error) {
	p := &packer{open: open, names: map[string]string{}, data: map[string][]byte{}}
	for _, m := range r.Motes {
		p.pack(Source{m.Firmware, m.SHA256}, "firmware/"+plainName(m.Firmware))
	}
	for i, s := range r.Scenario {
		if !s.builtIn() {
			p.pack(s, p.besideScenario(r.Scenario[0].Name, s.Name, i))
		}
	}
	if r.Checks != nil {
		for _, k := range r.Checks.Kernels {
			p.pack(k.Source, "kernel/"+plainName(k.Name))
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	moved := r.Renamed(p.renamed, p.renamed)
	text, err := json.MarshalIndent(moved, "", "  ")
	if err != nil {
		return nil, err
	}
	return p.zip(append(text, '\n'))
}

// plainName is a file's own name, without what means something to a shell or a file system.
func plainName(name string) string {
	return regexp.MustCompile(`[^A-Za-z0-9._-]`).ReplaceAllString(path.Base(filepath.ToSlash(name)), "_")
}

// packer gathers the files of a bundle.
type packer struct {
	open  Opener
	names map[string]string // in the bundle, by that in the recipe
	data  map[string][]byte // by name in the bundle
	order []string
	err   error // the first
}

// pack takes a file, under a name that no other content has.
func (p *packer) pack(s Source, name string) {
	if _, ok := p.names[s.Name]; ok || p.err != nil {
		return
	}
	data, err := p.open(s.Name)
	switch {
	case err != nil:
		p.err = err
		return
	case SourceOf(s.Name, data).SHA256 != s.SHA256:
		p.err = fmt.Errorf("%s was changed since it was first read: it cannot be put into a bundle", s.Name)
		return
	}
	free := name
	for n := 2; ; n++ {
		old, taken := p.data[free]
		if !taken {
			p.order = append(p.order, free)
			p.data[free] = data
		}
		if !taken || bytes.Equal(old, data) {
			break
		}
		free = fmt.Sprintf("%s/%d-%s", path.Dir(name), n, path.Base(name))
	}
	p.names[s.Name] = free
}

// besideScenario is where a file of a scenario goes. What the first one loads must be found from there.
func (p *packer) besideScenario(first, name string, number int) string {
	rel, err := filepath.Rel(filepath.Dir(first), name)
	inside := path.Join("scenario", filepath.ToSlash(rel))
	if p.err == nil && (err != nil || !fs.ValidPath(inside) || !strings.HasPrefix(inside, "scenario/")) {
		p.err = fmt.Errorf("file %d of the scenario, %s, is not beside the first one", number+1, name)
	}
	return inside
}

func (p *packer) renamed(name string) string { return p.names[name] }

// zip makes the file. Its times are the earliest that a zip file can have, and its order is fixed.
func (p *packer) zip(text []byte) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.BestCompression) })
	p.data[bundledRecipe] = text
	total := 0
	for _, name := range append([]string{bundledRecipe}, p.order...) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(p.data[name]); err != nil {
			return nil, err
		}
		total += len(p.data[name])
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if total > maxUnpacked || b.Len() > maxBundle || len(p.data) > maxBundled {
		return nil, fmt.Errorf("a bundle of %d files with %d bytes: at most %d and %d can be read again", len(p.data), total, maxBundled, maxUnpacked)
	}
	return b.Bytes(), nil
}

// Renamed is the recipe with other names for its firmware, and for its other files. A place in the scenario gets the new name, too.
func (r *Recipe) Renamed(firmware, other func(name string) string) *Recipe {
	c := *r
	c.Motes, c.Scenario = append([]Mote(nil), r.Motes...), append([]Source(nil), r.Scenario...)
	for i := range c.Motes {
		c.Motes[i].Firmware = firmware(c.Motes[i].Firmware)
	}
	moved := map[string]string{}
	for i := range c.Scenario {
		s := &c.Scenario[i]
		if !s.builtIn() {
			moved[s.Name] = other(s.Name)
			s.Name = moved[s.Name]
		}
	}
	if r.Explored != nil {
		x := *r.Explored
		x.File, c.Explored = cmp.Or(moved[x.File], x.File), &x
	}
	if r.Symbolic != nil {
		x := *r.Symbolic
		x.File, c.Symbolic = cmp.Or(moved[x.File], x.File), &x
	}
	if r.Checks != nil {
		x := *r.Checks
		x.Kernels = slices.Clone(x.Kernels)
		for i := range x.Kernels {
			x.Kernels[i].Name = other(x.Kernels[i].Name)
		}
		c.Checks = &x
	}
	return &c
}

// isBundle tells a bundle from a recipe.
func isBundle(data []byte) bool { return bytes.HasPrefix(data, []byte(zipMagic)) }

// parseBundle reads a bundle. All of it is looked at before any of it is used.
func parseBundle(data []byte) (*Recipe, error) {
	if bytes.Count(data, []byte(zipEntry)) > maxBundled+1024 { // some may be in what the files hold
		return nil, fmt.Errorf("not a bundle: more than %d files", maxBundled)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("not a bundle: %w", err)
	}
	if err := sound(z); err != nil {
		return nil, fmt.Errorf("not a bundle: %w", err)
	}
	text, err := fs.ReadFile(z, bundledRecipe)
	if err != nil {
		return nil, fmt.Errorf("not a bundle: %w", err)
	}
	r, err := Parse(text)
	if err != nil {
		return nil, jsonfile.Named(bundledRecipe, err)
	}
	r.bundle = z
	return r, nil
}

// sound refuses archives that Bundle would not make: with names that lead elsewhere, twice the same name, or more than there is room for.
func sound(z *zip.Reader) error {
	if len(z.File) > maxBundled {
		return fmt.Errorf("%d files, but at most %d are allowed", len(z.File), maxBundled)
	}
	seen, total := map[string]bool{}, uint64(0)
	for _, f := range z.File {
		switch {
		case !fs.ValidPath(f.Name) || strings.ContainsAny(f.Name, `\:`) || !f.Mode().IsRegular():
			return fmt.Errorf("%.200q is not the name of a file of a bundle", f.Name)
		case seen[f.Name]:
			return fmt.Errorf("%.200q is in it twice", f.Name)
		case f.UncompressedSize64 > maxBundle:
			return fmt.Errorf("%.200q is larger than %d bytes", f.Name, maxBundle)
		}
		seen[f.Name] = true
		if total += f.UncompressedSize64; total > maxUnpacked {
			return fmt.Errorf("its files are larger than %d bytes", maxUnpacked)
		}
	}
	for _, f := range z.File {
		if err := whole(f); err != nil {
			return fmt.Errorf("%.200q: %w", f.Name, err)
		}
	}
	return nil
}

// whole reads a file to its end, which compares its checksum and size.
func whole(f *zip.File) error {
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.Copy(io.Discard, io.LimitReader(from, maxBundle+1))
	return err
}
