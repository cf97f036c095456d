package workbench

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBuilt: the page that is embedded is what its sources make. It takes Node.js, and the packages that make setup fetches.
func TestBuilt(t *testing.T) {
	packages := filepath.Join(ui, "node_modules")
	if _, err := os.Stat(filepath.Join(packages, "vite")); err != nil || testing.Short() {
		t.Skip("this test needs npm's packages, which make setup fetches if it reaches them: it is not run with -short")
	}
	// A copy of its own, so that nothing is left in the sources.
	root := t.TempDir()
	copied := filepath.Join(root, "show", "workbench", "ui")
	for _, folder := range []string{"report", "picture"} {
		if err := os.CopyFS(filepath.Join(root, "show", folder), os.DirFS("../"+folder)); err != nil {
			t.Fatal(err)
		}
	}
	copySources(t, copied)
	if err := os.Symlink(packages, filepath.Join(copied, "node_modules")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("npm", "run", "build")
	c.Dir = copied
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("npm run build: %v\n%s", err, out)
	}
	made := os.DirFS(filepath.Join(root, "show", "workbench", "dist"))
	for _, list := range [][2]fs.FS{{made, os.DirFS("dist")}, {os.DirFS("dist"), made}} {
		err := fs.WalkDir(list[0], ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			a, err1 := fs.ReadFile(list[0], name)
			b, err2 := fs.ReadFile(list[1], name)
			if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
				t.Errorf("dist/%s is not what the sources make: run make ui", name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func copySources(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir("ui", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, strings.TrimPrefix(path, "ui")), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, strings.TrimPrefix(path, "ui")), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSmall: the page is at most 400 KB, as browsers get it at best, and it names no other host to load something from.
func TestSmall(t *testing.T) {
	sum := 0
	err := fs.WalkDir(dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(data); err != nil {
			return err
		}
		z.Close()
		sum += b.Len()
		text := strings.ReplaceAll(string(data), "http://www.w3.org/", "") // namespaces
		if i := strings.Index(text, "://"); i >= 0 {
			t.Errorf("%s names a host: %.60q", name, text[max(0, i-10):])
		}
		return nil
	})
	if err != nil || sum > 400<<10 {
		t.Errorf("%d bytes (%v)", sum, err)
	}
	t.Logf("the page takes %d bytes, compressed", sum)
}
