package main

import (
	"bytes"
	"debug/elf"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/need"
)

// Built twice, from two folders, the files are the same, byte by byte. With MOTEHOUND_LONG=1 all systems are built, the second time from nothing.
func TestReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("it links the command several times")
	}
	a := release{source: "../..", out: t.TempDir(), targets: targets[:1], flags: []string{"-pgo=off", "-buildvcs=false"}}
	if need.Long() {
		a.targets, a.flags = targets, a.flags[1:]
	}
	b := a
	b.source, b.out = t.TempDir(), t.TempDir()
	copySources(t, a.source, b.source)
	if need.Long() {
		b.env = []string{"GOCACHE=" + t.TempDir()}
	}
	for _, r := range []*release{&a, &b} {
		if err := r.make(); err != nil {
			t.Fatal(err)
		}
	}
	names := listed(t, a.out)
	if want := map[bool]int{false: 3, true: 9}[need.Long()]; len(names) != want {
		t.Errorf("%v; want %d files", names, want)
	}
	for _, name := range names {
		x, err1 := os.ReadFile(filepath.Join(a.out, name))
		y, err2 := os.ReadFile(filepath.Join(b.out, name))
		if err1 != nil || err2 != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs: %v, %v", name, err1, err2)
		}
	}
	check := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = a.out
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	judgeArchive(t, a.out)
	judgePackage(t, a.out)
}

// copySources copies what git has or could have, without what is built.
func copySources(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && rel != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || rel == "dist"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func listed(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// judgeArchive looks into the archive for Linux on amd64: the program is static and has no path of this machine, and the pages are there.
func judgeArchive(t *testing.T, folder string) {
	t.Helper()
	dir := t.TempDir()
	names, err := filepath.Glob(filepath.Join(folder, "*-linux-amd64.tar.gz"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	if out, err := exec.Command("tar", "-xzf", names[0], "-C", dir, "--strip-components=1").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := elf.Open(filepath.Join(dir, "motehound"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the program is not static")
		}
	}
	program, err := os.ReadFile(filepath.Join(dir, "motehound"))
	if err != nil {
		t.Fatal(err)
	}
	home, err := filepath.Abs("../..")
	if err != nil || bytes.Contains(program, []byte(home+"/")) {
		t.Errorf("the program names %s: %v", home, err)
	}
	for _, name := range []string{"LICENSE", "README.md", "man/motehound.1", "man/motehound-check.1", "man/motehound-findings-list.1", "completions/motehound.bash", "completions/motehound.zsh",
		"completions/motehound.fish", "completions/motehound.powershell"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() < 100 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// judgePackage has Debian's own tool read the package.
func judgePackage(t *testing.T, folder string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*_amd64.deb"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	out, err := need.Command(t, "dpkg-deb", "--info", names[0]).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Package: motehound") {
		t.Errorf("%v\n%s", err, out)
	}
	dir := t.TempDir()
	if out, err := need.Command(t, "dpkg-deb", "--extract", names[0], dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"usr/bin/motehound", "usr/share/man/man1/motehound.1", "usr/share/bash-completion/completions/motehound", "usr/share/zsh/vendor-completions/_motehound",
		"usr/share/fish/vendor_completions.d/motehound.fish", "usr/share/doc/motehound/copyright"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if out, err := exec.Command(filepath.Join(dir, "usr/bin/motehound"), "version").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "motehound ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Debian's versions begin with a digit, and are in order.
func TestDebianVersion(t *testing.T) {
	for in, want := range map[string]string{"v1.2.3": "1.2.3", "devel": "0~devel", "v0.0.0-20260101000000-abcdef": "0.0.0~20260101000000~abcdef", "": "0~", "v1.2.3+dirty": "1.2.3+dirty"} {
		if got := debianVersion(version{Version: in}); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if need.Command(t, "dpkg", "--compare-versions", debianVersion(version{Version: "v1.0.0-rc1"}), "lt", debianVersion(version{Version: "v1.0.0"})).Run() != nil {
		t.Error("a candidate is later than its release")
	}
}
