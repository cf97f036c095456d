package image

import (
	"path"
	"slices"
	"strings"
)

// systemFolders are the folders in which operating systems, libraries and tool chains for motes keep their sources: TinyOS (tos),
// Contiki (core, cpu, platform; later os and arch), Arduino (cores, libraries), bare-metal projects (kernel), avr-libc and GCC.
var systemFolders = []string{"tos", "core", "cpu", "platform", "platforms", "os", "arch", "cores", "libraries", "kernel", "avr-libc", "include", "gcc", "ncc"}

// Own reports whether a source file, as functions and variables name it, is the application's and not a system's or library's.
// Folders above the one in which the compiler ran do not count. A file that is not known is no one's own.
func (im *Image) Own(file string) bool {
	if file == "" {
		return false
	}
	file = path.Clean(strings.ReplaceAll(file, `\`, "/"))
	for _, dir := range im.dwarf().unitDirs {
		if rest, ok := strings.CutPrefix(file, dir+"/"); ok {
			file = rest
			break
		}
	}
	folders := strings.Split(path.Dir(file), "/")
	return !slices.ContainsFunc(folders, func(f string) bool { return slices.Contains(systemFolders, f) })
}

// HasLibrary reports whether the application's code can be told from that of its system: the program has functions of both.
func (im *Image) HasLibrary() bool {
	own, other := false, false
	for _, f := range im.Functions() {
		file := f.Source().DeclFile
		own, other = own || im.Own(file), other || file != "" && !im.Own(file)
	}
	return own && other
}
