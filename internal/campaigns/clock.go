//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// jumping is what to build programs with whose clocks jump: by an hour, forwards and backwards, every few seconds. Timers go on, as they do when somebody sets the clock of
// a machine. Tools that fake the time for a process do not reach Go programs, which ask the kernel themselves.
func jumping(dir string) (overlay string, err error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	data, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	const honest = "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {"
	const jumps = "\tsec, nsec, mono := runtimeNow()\n\tsec += [...]int64{0, 3600, 0, -3600}[mono/4e9%4]\n\tif mono == 0 {"
	text := strings.Replace(string(data), honest, jumps, 1)
	if text == string(data) {
		return "", errors.New("time.Now of this Go is not as it was: see " + source)
	}
	file := filepath.Join(dir, "time.go")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return "", err
	}
	if data, err = json.Marshal(map[string]map[string]string{"Replace": {source: file}}); err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o644)
}
