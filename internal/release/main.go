// Command release makes what users download: static programs for all systems with manual pages and completions, Debian packages, and checksums.
//
// Invariants: the same commit gives the same bytes, wherever and whenever it is built: no paths, no times, no order of a map or of a folder.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// target is a system to build for.
type target struct{ os, arch string }

var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// release is what is asked for.
type release struct {
	source  string // the repository
	out     string
	targets []target
	flags   []string // more flags of go build
	env     []string // and its environment
}

// version is what a program says of itself.
type version struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Modified bool   `json:"modified"`
}

func main() {
	out := flag.String("out", "dist", "`folder` to write to")
	only := flag.String("only", "", "only this `system`, as linux/amd64")
	flag.Parse()
	r := release{source: ".", out: *out, targets: targets}
	if *only != "" {
		i := slices.IndexFunc(targets, func(t target) bool { return t.os+"/"+t.arch == *only })
		if i < 0 {
			fmt.Fprintf(os.Stderr, "release: there is no system %s\n", *only)
			os.Exit(2)
		}
		r.targets = targets[i : i+1]
	}
	if err := r.make(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// make makes all files.
func (r *release) make() error {
	work, err := os.MkdirTemp("", "motehound-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	here, native := target{runtime.GOOS, runtime.GOARCH}, filepath.Join(work, "motehound")
	if err := r.build(here, native); err != nil {
		return err
	}
	v, err := versionOf(native)
	if err != nil {
		return err
	}
	shared, err := r.pages(native, work)
	if err != nil {
		return err
	}
	var made []string
	for _, t := range r.targets {
		program := native
		if t != here {
			program = filepath.Join(work, t.os+"-"+t.arch)
			if err := r.build(t, program); err != nil {
				return err
			}
		}
		names, err := r.pack(t, v, program, shared)
		if err != nil {
			return err
		}
		made = append(made, names...)
	}
	return checksums(r.out, made)
}

// build compiles the command: static, without paths, without symbols.
func (r *release) build(t target, to string) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", append(append([]string{"build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", to}, r.flags...), "./cmd/motehound")...)
	cmd.Dir = r.source
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0"), r.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build for %s/%s: %w\n%s", t.os, t.arch, err, out)
	}
	return nil
}

func versionOf(program string) (v version, err error) {
	out, err := exec.Command(program, "version", "--json").Output()
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal(out, &v)
}

// pages are the files that are the same for all systems: licence, manual pages and completions.
func (r *release) pages(program, work string) ([]file, error) {
	var list []file
	for _, name := range []string{"LICENSE", "README.md"} {
		data, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return nil, err
		}
		list = append(list, file{name, data, 0o644})
	}
	man := filepath.Join(work, "man")
	if out, err := exec.Command(program, "man", man).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("manual pages: %w\n%s", err, out)
	}
	names, err := filepath.Glob(filepath.Join(man, "*.1"))
	if err != nil || len(names) == 0 {
		return nil, errors.Join(err, errors.New("there are no manual pages"))
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list = append(list, file{"man/" + filepath.Base(name), data, 0o644})
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		data, err := exec.Command(program, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("completion of %s: %w", shell, err)
		}
		list = append(list, file{"completions/motehound." + shell, data, 0o644})
	}
	return list, nil
}

// pack writes the archive of a system, and a Debian package for Linux, and gives their names.
func (r *release) pack(t target, v version, program string, shared []file) ([]string, error) {
	data, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	name, binary, write := fmt.Sprintf("motehound-%s-%s-%s", v.Version, t.os, t.arch), "motehound", tarGz
	ext := ".tar.gz"
	if t.os == "windows" {
		binary, write, ext = "motehound.exe", zipped, ".zip"
	}
	files := []file{{name + "/" + binary, data, 0o755}}
	for _, f := range shared {
		files = append(files, file{name + "/" + f.name, f.data, f.mode})
	}
	archive, err := write(files)
	if err != nil {
		return nil, err
	}
	made := []string{name + ext}
	if err := os.WriteFile(filepath.Join(r.out, name+ext), archive, 0o644); err != nil {
		return nil, err
	}
	if t.os != "linux" {
		return made, nil
	}
	deb, err := debian(t.arch, v, data, shared)
	if err != nil {
		return nil, err
	}
	name = fmt.Sprintf("motehound_%s_%s.deb", debianVersion(v), t.arch)
	return append(made, name), os.WriteFile(filepath.Join(r.out, name), deb, 0o644)
}

// checksums writes SHA256SUMS, as sha256sum --check reads it.
func checksums(folder string, names []string) error {
	var b bytes.Buffer
	for _, name := range slices.Sorted(slices.Values(names)) {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		fmt.Fprintf(&b, "%s  %s\n", hex.EncodeToString(sum[:]), name)
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), b.Bytes(), 0o644)
}

// debianVersion is a version as Debian orders them: it begins with a digit.
func debianVersion(v version) string {
	text := strings.ReplaceAll(strings.TrimPrefix(v.Version, "v"), "-", "~")
	if text == "" || text[0] < '0' || text[0] > '9' {
		text = "0~" + text
	}
	return text
}
