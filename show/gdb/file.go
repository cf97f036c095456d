package gdb

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
)

// A client reads the firmware of its processes from us, so that it needs no files: nothing else of the host can be read.

const (
	maxFiles = 1024
	enoent   = 2
	ebadf    = 9
	einval   = 22
	statSize = 64 // of the protocol's struct stat
)

// files are those that a client has open.
type files [maxFiles][]byte

// fileName is the name by which a client opens the firmware of a process.
func fileName(process int, p firmwareOf) string {
	return fmt.Sprintf("/%d/%s", process, filepath.Base(p.Name))
}

// failed is an answer of vFile with an error number of the protocol.
func failed(errno int) []byte { return fmt.Appendf(nil, "F-1,%x", errno) }

// file answers vFile.
func (s *session) file(p []byte) []byte {
	name, rest, _ := bytes.Cut(p, []byte(":"))
	switch string(name) {
	case "setfs":
		return []byte("F0")
	case "open":
		return s.open(rest)
	case "close":
		fd, ok := s.descriptor(rest)
		if !ok {
			return failed(ebadf)
		}
		s.files[fd] = nil
		return []byte("F0")
	case "pread":
		return s.pread(rest)
	case "fstat":
		fd, ok := s.descriptor(rest)
		if !ok {
			return failed(ebadf)
		}
		return stat(len(s.files[fd]))
	}
	return unknown
}

// descriptor reads the number of an open file.
func (s *session) descriptor(text []byte) (int, bool) {
	fd, ok := number(text)
	return int(fd), ok && fd < maxFiles && s.files[fd] != nil
}

// open opens the firmware of a process: "NAME,FLAGS,MODE".
func (s *session) open(text []byte) []byte {
	f := strings.Split(string(text), ",")
	if len(f) != 3 {
		return failed(einval)
	}
	name, ok := unhex([]byte(f[0]))
	if !ok || f[1] != "0" {
		return failed(einval)
	}
	for _, t := range s.target.Threads() {
		p := s.target.Program(t.Process)
		if p.ELF == nil || fileName(t.Process, p) != string(name) {
			continue
		}
		for fd := range s.files {
			if s.files[fd] == nil {
				s.files[fd] = p.ELF
				return fmt.Appendf(nil, "F%x", fd)
			}
		}
		return failed(einval)
	}
	return failed(enoent)
}

// pread reads from an open file: "FD,COUNT,OFFSET".
func (s *session) pread(text []byte) []byte {
	id, where, _ := bytes.Cut(text, []byte(","))
	fd, ok := s.descriptor(id)
	if !ok {
		return failed(ebadf)
	}
	count, offset, ok := pair(where, ",")
	if !ok {
		return failed(einval)
	}
	part := s.files[fd][min(int(offset), len(s.files[fd])):]
	data, used := escaped(part[:min(int(count), len(part))], maxPacket-16)
	return append(fmt.Appendf(nil, "F%x;", used), data...)
}

// stat is what is known of a file: its size, and that it can be read.
func stat(size int) []byte {
	var b [statSize]byte
	const regular = 0o100444
	binary.BigEndian.PutUint32(b[8:], regular)
	binary.BigEndian.PutUint64(b[28:], uint64(size))
	data, _ := escaped(b[:], maxPacket)
	return append(fmt.Appendf(nil, "F%x;", statSize), data...)
}
