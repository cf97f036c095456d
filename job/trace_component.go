package job

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"motehound/firmware/disk"
	"motehound/firmware/pathtrace/runtime"
)

// carriers is what a component can answer over, with TinyOS' component for it.
var carriers = map[string]string{"serial": "MotehoundTraceSerialC", "radio": "MotehoundTraceRadioC"}

// TraceComponent asks for a kernel's components that answer trace pull.
type TraceComponent struct {
	Kernel string   `json:"kernel"`
	Folder string   `json:"folder"`
	App    string   `json:"app,omitempty"` // the top-level configuration, for TinyOS
	Over   []string `json:"over"`          // serial, radio, or both
}

// TraceKernels are the kernels that have such components.
func TraceKernels() []string { return runtime.Kernels }

// Do writes the files, and names them.
func (f TraceComponent) Do() (written []string, err error) {
	kernel, dir := f.Kernel, f.Folder
	if !slices.Contains(runtime.Kernels, kernel) {
		return nil, fmt.Errorf("%s: give one of %s", kernel, strings.Join(runtime.Kernels, ", "))
	}
	files := runtime.Component(kernel)
	if f.App != "" {
		if kernel == "contiki" {
			return nil, fmt.Errorf("--app: Contiki has no configurations; build with trace cc --query, which links and starts a process")
		}
		text, err := f.configuration(kernel)
		if err != nil {
			return written, err
		}
		files["Traced"+f.App+".nc"] = text
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return written, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(dir, name)
		if err := disk.Write(file, files[name], 0o666); err != nil {
			return written, err
		}
		written = append(written, file)
	}
	return written, nil
}

// configuration has the application and what answers for it.
func (f *TraceComponent) configuration(kernel string) ([]byte, error) {
	components := []string{f.App}
	for _, over := range f.Over {
		c, ok := carriers[over]
		if !ok {
			return nil, fmt.Errorf("--over %s: give serial, radio, or both", over)
		}
		components = append(components, c)
	}
	if kernel == "tinyos1" && len(components) > 2 {
		return nil, fmt.Errorf("--over: a TinyOS 1 mote cannot see where a message came from, so it answers over one: give serial or radio")
	}
	return fmt.Appendf(nil, "// %s, and what answers questions about its trace.\nconfiguration Traced%s { }\nimplementation {\n  components %s;\n}\n",
		f.App, f.App, strings.Join(components, ", ")), nil
}
