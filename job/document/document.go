// Package document is what jobs answer: the types of all JSON documents, with the version of their schema. docs/json.md describes the
// fields.
//
// Invariants: a document is made of what was recorded and of the state of the motes alone, so the same request gives the same document,
// except for the host's times. Motes are named by their node ids.
package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"motehound/study/verdict"
)

// SchemaVersion is the version of all documents that --json prints and that report.json keeps (docs/json.md). It rises when a field changes
// its name or its meaning, not when one is added. With 2, what symbolic lists became outcomes; they were scenarios.
const SchemaVersion = 2

// SchemaField is the first field of every document.
var SchemaField = fmt.Sprintf(`"schema_version": %d`, SchemaVersion)

// Write writes a document, which is an object, with its version.
func Write(to io.Writer, doc any) error {
	if r, ok := doc.(Rankings); ok && len(r.Rankings) == 1 {
		doc = r.Rankings[0]
	}
	var b bytes.Buffer
	if err := WritePlain(&b, doc); err != nil {
		return err
	}
	fields, ok := bytes.CutPrefix(b.Bytes(), []byte("{\n"))
	if !ok {
		panic(fmt.Sprintf("BUG: a %T is no document with fields", doc))
	}
	_, err := fmt.Fprintf(to, "{\n  %s,\n%s", SchemaField, fields)
	return err
}

// WritePlain writes a file that has a version of its own, as recipes and models have.
func WritePlain(to io.Writer, file any) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(file)
}

// Verdict is what is known in the end.
type Verdict = verdict.Verdict

// The verdicts.
const (
	Violated = verdict.Violated
	Holds    = verdict.Holds
	Unknown  = verdict.Unknown
)

// Interrupted is what the left_out of a job says that was interrupted.
const Interrupted = verdict.Interrupted

// Unfinished is the document of a job whose work is worth nothing before its end. Its fields are those of all verdicts.
type Unfinished struct {
	Verdict verdict.Verdict `json:"verdict"`
	LeftOut []string        `json:"left_out"`
}

// List is a list that JSON does not show as null.
func List(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
