package findings

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strings"

	"motehound/firmware/image"
)

// Cause is what a key is made of: what stays the same when the firmware is built again, with other lines around it or another optimisation.
// Function is the source function of the line, so that of an inlined function and not that of the one that it was inlined into.
type Cause struct {
	Grade    Grade
	Property string // as the engine calls it
	Function string
	Variable string
	File     string
}

// Cause is the finding's cause.
func (f *Finding) Cause() Cause {
	return Cause{Grade: f.Grade, Property: f.Property, Function: f.Function, Variable: f.Variable, File: f.File}
}

// Key names the cause: 16 hexadecimal digits. How a compiler names copies of functions, which element of an array it is about, the folder of
// the file, and how a race shows itself (as a torn read in one build, as a lost update in another) are no part of it.
func (c Cause) Key() string {
	property := elements.ReplaceAllString(c.Property, "[]")
	if c.Grade == Race && c.Variable != "" {
		property = "race"
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{string(c.Grade), property, sourceName(c.Function),
		elements.ReplaceAllString(c.Variable, "[]"), path.Base(strings.ReplaceAll(c.File, `\`, "/"))}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// elements are the numbers of arrays' elements.
var elements = regexp.MustCompile(`\[[0-9]+\]`)

// sourceName is a function as its programmer knows it, without the compiler's notes about copies.
func sourceName(function string) string {
	name, _, _ := strings.Cut(image.Readable(function), " (")
	return elements.ReplaceAllString(name, "[]")
}
