package cases

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Hunted is a bug of an example, for a hunt that is told nothing but the file.
type Hunted struct {
	Name string
	File string // the firmware, as example:NAME, or the scenario, from the folder of the examples
	// Build is the one with the bug: of a scenario, what it sets build to. The fixed one is always Fixed.
	Build string
	Board string
	// Properties are the beginnings of what may be violated, any of them.
	Properties []string
	// Functions is where, any of them; none for what belongs to no function.
	Functions []string
}

// Hunts are all bugs of the examples.
func Hunts() (list []Hunted) {
	for _, p := range Plains {
		list = append(list, Hunted{Name: p.Name, File: "example:" + p.Name, Board: "uno", Properties: []string{p.Property}})
	}
	list = append(list,
		Hunted{Name: "novolatile", File: "example:novolatile", Board: "uno", Properties: []string{"wait: read_once"}},
		Hunted{Name: "masked", File: "example:masked", Board: "uno", Properties: []string{"wait: interrupts_off"}},
		Hunted{Name: "recursion", File: "example:recursion", Board: "uno", Properties: []string{"memory: stack"}, Functions: []string{"expression"}},
		Hunted{Name: "overrun", File: "example:overrun", Board: "uno", Properties: []string{"memory: bounds"}, Functions: []string{"__vector_18"}})
	for _, b := range Bugs {
		list = append(list, Hunted{Name: b.Name, File: b.File, Build: b.Build, Properties: []string{b.Property}, Functions: b.Functions})
	}
	for _, d := range Deeps {
		h := Hunted{Name: d.Name, File: "example:" + d.Name, Board: d.Board, Properties: []string{d.Property}, Functions: d.Functions}
		if d.Order != "" {
			h.File, h.Board = d.Order, ""
		}
		list = append(list, h)
	}
	tcp := func(name, build string, properties ...string) {
		list = append(list, Hunted{Name: "tinytcp " + name, File: "tinytcp/" + name + ".star", Build: build, Properties: properties})
	}
	tcp("port", "_port", "connected here, connected there")
	tcp("loss", "_reset", "nobody resets a connection", "the client has its page")
	tcp("stuck", "_stuck", "the server is free again", "the client has its page")
	tcp("duplicate", "_second", "one connection for the same ends", "nobody resets a connection", "the client has its pages")
	tcp("outage", "_stale", "nobody is connected after two minutes")
	study := func(name string, functions ...string) {
		list = append(list, Hunted{Name: name, File: name + "/" + name + ".star", Functions: functions})
	}
	study("pollute", "AdcNowP.readDone", "AdcNowP__readDone")
	study("drop", "DropC.receive", "DropC.send", "DropC.forward")
	study("hang", "ForwarderP.send")
	// In router, forward takes the wrong branch, since its caller, send, has not set the destination. Which of the two is to blame no run can tell.
	study("router", "ForwardingP.send", "ForwardingP.forward")
	return list
}

// Is tells whether a finding is this bug.
func (h Hunted) Is(property, function string) bool {
	return (h.Properties == nil || slices.ContainsFunc(h.Properties, func(p string) bool { return strings.HasPrefix(property, p) })) &&
		(h.Functions == nil || slices.Contains(h.Functions, function))
}

// Subject is the file to hunt in: the build with the bug, or the fixed one. The root is the folder of the examples. A scenario is written into a folder of its
// own, beside a link to the firmware.
func (h Hunted) Subject(root, folder string, fixed bool) (string, error) {
	build := h.Build
	if fixed {
		build = Fixed
	}
	if strings.HasPrefix(h.File, "example:") {
		return h.File + build, nil
	}
	text, err := fs.ReadFile(os.DirFS(root), h.File)
	if err != nil {
		return "", err
	}
	own, err := assign(string(text), "build", `"`+build+`"`)
	if err != nil {
		return "", err
	}
	elf, err := filepath.Abs(filepath.Join(root, "elf"))
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, filepath.FromSlash(h.File))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	if err := os.Symlink(elf, filepath.Join(folder, "elf")); err != nil && !os.IsExist(err) {
		return "", err
	}
	return file, os.WriteFile(file, []byte(own), 0o644)
}
