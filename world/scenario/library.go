package scenario

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed library/*.star
var library embed.FS

// Libraries are the names of the files that every scenario can load, without the @ in front.
func Libraries() []string {
	entries, err := library.ReadDir("library")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".star"))
	}
	slices.Sort(names)
	return names
}

// isLibrary tells files that come with Motehound from those beside a scenario.
func isLibrary(name string) bool {
	return strings.HasPrefix(name, "@") && !strings.ContainsAny(name, "./")
}

// libraryText reads a library, and keeps it among the sources.
func (f *files) libraryText(name string) ([]byte, error) {
	data, err := library.ReadFile("library/" + name[1:] + ".star")
	if err != nil {
		return nil, fmt.Errorf("there is no library %s: use one of @%s, or a file beside the scenario", name, strings.Join(Libraries(), ", @"))
	}
	return data, f.b.source(name, data)
}
