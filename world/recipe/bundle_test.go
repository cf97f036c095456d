package recipe_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/world"
	"motehound/world/recipe"
)

// carried is a finished run of two kinds of motes, with a scenario of two files, and a reader of all its files.
func carried(t *testing.T) (*recipe.Recipe, recipe.Opener) {
	t.Helper()
	texts := map[string][]byte{"scenes/a.star": []byte("load('lib/b.star', 'x')"), "scenes/lib/b.star": []byte("x = 1"), "k.txt": []byte("kernel")}
	find := func(name string) ([]byte, error) {
		if text, ok := texts[name]; ok {
			return text, nil
		}
		return open(filepath.Base(name))
	}
	kernel := recipe.SourceOf("k.txt", texts["k.txt"])
	r := &recipe.Recipe{Version: recipe.Version, Seed: 3, Until: 50 * world.Millisecond, Checks: &recipe.Checks{Kernels: []recipe.Kernel{{Source: kernel}}}}
	for i, name := range []string{"../one/blink-micaz.elf", "build/sense-micaz.elf", "../one/blink-micaz.elf"} {
		r.Motes = append(r.Motes, recipe.Mote{Firmware: name, Board: "micaz", ID: uint16(i)})
	}
	for _, name := range []string{"scenes/a.star", "scenes/lib/b.star"} {
		r.Scenario = append(r.Scenario, recipe.SourceOf(name, texts[name]))
	}
	r.Scenario = append(r.Scenario, recipe.Source{Name: "@tinyos", SHA256: "00"})
	w, err := r.World(find)
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(r.Until)
	r.Finish(w)
	r.Explored = &recipe.Explored{File: "scenes/lib/b.star", Line: 1}
	return r, find
}

func unpack(t *testing.T, data []byte) (names []string, files map[string][]byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	for _, f := range z.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(from); err != nil {
			t.Fatal(err)
		}
		names = append(names, f.Name)
	}
	return names, files
}

func readBytes(t *testing.T, data []byte) (*recipe.Recipe, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return recipe.Read(path)
}

// A bundle has everything, under names of its own, and is the same bytes each time.
func TestBundle(t *testing.T) {
	t.Parallel()
	r, find := carried(t)
	data, err := r.Bundle(find)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.Bundle(find); err != nil || !bytes.Equal(data, again) {
		t.Errorf("it is not the same again: %v", err)
	}
	names, _ := unpack(t, data)
	want := []string{"recipe.json", "firmware/blink-micaz.elf", "firmware/sense-micaz.elf", "scenario/a.star", "scenario/lib/b.star", "kernel/k.txt"}
	if !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	got, err := readBytes(t, data)
	if err != nil {
		t.Fatal(err)
	}
	if got.Explored.File != "scenario/lib/b.star" || got.Scenario[2].Name != "@tinyos" || got.Checks.Kernels[0].Name != "kernel/k.txt" || got.Motes[1].Firmware != want[2] {
		t.Errorf("%+v", got)
	}
	w, err := got.World(func(name string) ([]byte, error) { return nil, fmt.Errorf("%s was read from outside", name) })
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(got.Until)
	if h := w.Hash().String(); h != r.Hash {
		t.Errorf("it ends in %s, not in %s", h, r.Hash)
	}
}

// Files of one name stay apart, and one that has changed since is refused.
func TestBundleFiles(t *testing.T) {
	t.Parallel()
	r, find := carried(t)
	r.Motes[1].Firmware = "build/blink-micaz.elf"
	other := func(name string) ([]byte, error) {
		if name == r.Motes[1].Firmware {
			return open("sense-micaz.elf")
		}
		return find(name)
	}
	data, err := r.Bundle(other)
	if err != nil {
		t.Fatal(err)
	}
	if names, _ := unpack(t, data); !slices.Contains(names, "firmware/blink-micaz.elf") || !slices.Contains(names, "firmware/2-blink-micaz.elf") {
		t.Errorf("files %q", names)
	}
	if _, err := r.Bundle(find); err == nil || !strings.Contains(err.Error(), "was changed") {
		t.Errorf("another firmware: %v", err)
	}
	r.Scenario[1].Name = "elsewhere/b.star"
	if _, err := r.Bundle(other); err == nil || !strings.Contains(err.Error(), "is not beside") {
		t.Errorf("a file that cannot be loaded from there: %v", err)
	}
}

// packed is a zip file.
func packed(t *testing.T, add func(z *zip.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := add(z); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func put(z *zip.Writer, name string, data []byte) error {
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// What is no bundle is refused with a reason, before it takes memory or reaches anywhere.
func TestBundleRefused(t *testing.T) {
	t.Parallel()
	r, find := carried(t)
	good, err := r.Bundle(find)
	if err != nil {
		t.Fatal(err)
	}
	names, files := unpack(t, good)
	with := func(name string, data []byte) []byte {
		return packed(t, func(z *zip.Writer) error {
			for _, n := range names {
				if err := put(z, n, files[n]); err != nil {
					return err
				}
			}
			return put(z, name, data)
		})
	}
	zeros := make([]byte, 64<<20+1)
	damaged := bytes.Clone(good)
	damaged[len(damaged)/2] ^= 0xFF
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"a name that leads out", with("../x", nil), `"../x" is not the name`},
		{"an absolute name", with("/etc/x", nil), "is not the name"},
		{"another system's name", with(`a\b`, nil), "is not the name"},
		{"a folder", with("scenario/", nil), "is not the name"},
		{"twice", with("firmware/blink-micaz.elf", []byte("x")), "is in it twice"},
		{"two recipes", with("recipe.json", []byte("{}")), "is in it twice"},
		{"a large file", with("x", zeros), "is larger than"},
		{"large files", packed(t, func(z *zip.Writer) (err error) {
			for i := range 5 {
				if err == nil {
					err = put(z, fmt.Sprint(i), zeros[1:])
				}
			}
			return err
		}), "its files are larger than"},
		{"many files", packed(t, func(z *zip.Writer) (err error) {
			for i := range 6000 {
				if err == nil {
					err = put(z, fmt.Sprint(i), nil)
				}
			}
			return err
		}), "more than 4096 files"},
		{"no recipe", packed(t, func(z *zip.Writer) error { return put(z, "x", nil) }), "recipe.json"},
		{"another recipe", packed(t, func(z *zip.Writer) error { return put(z, "recipe.json", []byte("{}")) }), "not a recipe"},
		{"cut short", good[:len(good)-30], "not a bundle"},
		{"damaged", damaged, "not a bundle"},
	} {
		if _, err := readBytes(t, c.data); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "a.zip") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	files["recipe.json"] = bytes.ReplaceAll(files["recipe.json"], []byte(r.Motes[0].SHA256), []byte(strings.Repeat("0", 64)))
	lying := with("another", nil)
	got, err := readBytes(t, lying)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := got.World(find); err == nil || !strings.Contains(err.Error(), "find that build") {
		t.Errorf("another hash: %v", err)
	}
}
