package workbench

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// offline is how npm says that it reaches nobody.
var offline = regexp.MustCompile(`ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENETUNREACH`)

// TestBuilt: the page that is embedded is what its sources make. It takes Node.js, and the packages that npm fetches once.
func TestBuilt(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil || testing.Short() {
		t.Skip("this test needs npm, and its packages: it is not run with -short")
	}
	// A copy of its own, so that nothing is left in the sources.
	root := t.TempDir()
	ui := filepath.Join(root, "show", "workbench", "ui")
	if err := os.CopyFS(filepath.Join(root, "show", "report"), os.DirFS("../report")); err != nil {
		t.Fatal(err)
	}
	copySources(t, ui)
	for _, args := range [][]string{{"ci", "--no-fund", "--no-audit", "--prefer-offline"}, {"run", "build"}} {
		c := exec.Command("npm", args...)
		c.Dir = ui
		if out, err := c.CombinedOutput(); err != nil {
			if args[0] == "ci" && offline.Match(out) {
				t.Skipf("npm cannot fetch its packages here:\n%s", out)
			}
			t.Fatalf("npm %v: %v\n%s", args, err, out)
		}
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
