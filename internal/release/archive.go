package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"time"
)

// file is a file of an archive.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

// at is the time of all files in archives: the first one that a zip file can say.
var at = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// tarGz packs files, with the folders that they are in, all of them root's.
func tarGz(files []file) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b) // without a name and a time in its head
	w := tar.NewWriter(z)
	var folders []string
	for _, f := range files {
		for dir := path.Dir(f.name); dir != "." && dir != "/" && !slices.Contains(folders, dir); dir = path.Dir(dir) {
			folders = append(folders, dir)
		}
	}
	slices.Sort(folders)
	for _, dir := range folders {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatGNU}); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatGNU})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := errors.Join(w.Close(), z.Close())
	return b.Bytes(), err
}

// zipped packs files for Windows.
func zipped(files []file) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode)
		to, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// debian makes a Debian package: an ar archive of a version, a control archive and a data archive (deb(5)).
func debian(arch string, v version, program []byte, shared []file) ([]byte, error) {
	files := []file{{"./usr/bin/motehound", program, 0o755}}
	for _, f := range shared {
		name, data := "", f.data
		switch {
		case path.Dir(f.name) == "man":
			name = "./usr/share/man/man1/" + path.Base(f.name)
		case f.name == "completions/motehound.bash":
			name = "./usr/share/bash-completion/completions/motehound"
		case f.name == "completions/motehound.zsh":
			name = "./usr/share/zsh/vendor-completions/_motehound"
		case f.name == "completions/motehound.fish":
			name = "./usr/share/fish/vendor_completions.d/motehound.fish"
		case f.name == "LICENSE":
			name = "./usr/share/doc/motehound/copyright"
		default:
			continue
		}
		files = append(files, file{name, data, 0o644})
	}
	size := 0
	for _, f := range files {
		size += (len(f.data) + 1023) / 1024
	}
	control := fmt.Sprintf(`Package: motehound
Version: %s
Architecture: %s
Maintainer: The Motehound project <motehound@localhost>
Installed-Size: %d
Section: devel
Priority: optional
Description: finds, explains and replays bugs in firmware of sensor motes
 Motehound runs firmware files unchanged on emulated motes, looks for bugs,
 explains them, and replays every run exactly. Built from commit
 %s.
`, debianVersion(v), arch, size, first(v.Commit, "unknown"))
	meta, err := tarGz([]file{{"./control", []byte(control), 0o644}})
	if err != nil {
		return nil, err
	}
	data, err := tarGz(files)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBufferString("!<arch>\n")
	for _, m := range []file{{"debian-binary", []byte("2.0\n"), 0o644}, {"control.tar.gz", meta, 0o644}, {"data.tar.gz", data, 0o644}} {
		fmt.Fprintf(b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", m.name, at.Unix(), 0, 0, 0o100000|m.mode, len(m.data))
		b.Write(m.data)
		if len(m.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
