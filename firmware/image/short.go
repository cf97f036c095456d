package image

import (
	"path"
	"slices"
	"strings"
)

// ShortPath is a source's path as a person wants to read it: of an absolute path, what is in its system's folder, or else the file
// and the folder that it is in.
func ShortPath(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	if !path.IsAbs(file) && !(len(file) > 2 && file[1] == ':') {
		return file
	}
	parts := strings.Split(path.Clean(file), "/")
	if i := slices.IndexFunc(parts[:len(parts)-1], func(p string) bool { return slices.Contains(systemFolders, p) }); i >= 0 {
		return strings.Join(parts[i:], "/")
	}
	return strings.Join(parts[max(0, len(parts)-2):], "/")
}
