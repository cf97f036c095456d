package driver

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"motehound/firmware/disk"
	"motehound/firmware/jsonfile"
	"motehound/firmware/pathtrace/instrument"
)

// enter gives a unit's procedures ids in the map's file; fresh begins the map anew.
func (j *job) enter(u *unit, fresh bool) (err error) {
	if dir := filepath.Dir(j.Map); dir != "." {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	unlock, err := lock(lockName(j.Map))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	m := instrument.New()
	if !fresh {
		if m, err = load(j.Map); err != nil {
			return err
		}
	}
	if err := m.Add(u.source, u.plan); err != nil {
		return err
	}
	return disk.Replace(j.Map, 0o666, m.Write)
}

// lockName is a file for those who change a map, apart from the build's own files.
func lockName(name string) string {
	if absolute, err := filepath.Abs(name); err == nil {
		name = absolute
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("motehound-trace-%d-%.16x.lock", os.Getuid(), sha256.Sum256([]byte(name))))
}

func load(name string) (*instrument.Map, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return instrument.New(), nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := instrument.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%w; remove it and build everything again", jsonfile.Named(name, err))
	}
	return m, nil
}

// moveFile moves a file over another, which may be on another disk.
func moveFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return disk.Replace(to, 0o666, func(out io.Writer) error {
		_, err := io.Copy(out, in)
		return err
	})
}

func temporary() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", "motehound-trace-")
	return dir, func() { os.RemoveAll(dir) }, err
}

// forRuntime is the options with which the runtime is compiled: the machine's, and what configures the runtime itself.
func (j *job) forRuntime(procs int) []string {
	args := []string{"-DMH_TRACE_PROCS=" + strconv.Itoa(max(procs, 1))}
	configured := false
	for _, x := range j.args.list {
		text := strings.Join(x.text, "")
		switch {
		case x.input || strings.HasPrefix(text, "-mmcu=") && os.Getenv(machine) != "":
		case x.class == every && !strings.HasPrefix(text, "-W") && !strings.HasPrefix(text, "-std=") &&
			!strings.HasPrefix(text, "-pedantic") && text != "-ansi":
			args = append(args, x.text...)
		case strings.HasPrefix(text, "-DMH_TRACE_") || strings.HasPrefix(text, "-DF_CPU"):
			args = append(args, x.text...)
			configured = configured || strings.HasPrefix(text, "-DMH_TRACE_CONFIG")
		}
	}
	if j.clock != "" {
		args = append(args, j.clock)
	}
	if configured {
		for _, x := range j.args.list {
			if strings.HasPrefix(x.text[0], "-I") {
				args = append(args, x.text...)
			}
		}
	}
	if chip := os.Getenv(machine); chip != "" {
		args = append(args, "-mmcu="+chip)
	}
	// The folder is there once; what debugging information says is not to depend on its name.
	return append(args, "-std=gnu99", "-w", "-gno-record-gcc-switches", "-fdebug-prefix-map="+j.dir+"=motehound")
}
