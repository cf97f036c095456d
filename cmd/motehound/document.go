package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// schemaVersion is the version of all documents that --json prints and that report.json keeps (docs/json.md). It rises when a field changes
// its name or its meaning, not when one is added.
const schemaVersion = 1

// schemaField is the first field of every document.
var schemaField = fmt.Sprintf(`"schema_version": %d`, schemaVersion)

// writeJSON writes a document, which is an object, with its version.
func writeJSON(to io.Writer, doc any) error {
	var b bytes.Buffer
	if err := writePlainJSON(&b, doc); err != nil {
		return err
	}
	fields, ok := bytes.CutPrefix(b.Bytes(), []byte("{\n"))
	if !ok {
		panic(fmt.Sprintf("BUG: a %T is no document with fields", doc))
	}
	_, err := fmt.Fprintf(to, "{\n  %s,\n%s", schemaField, fields)
	return err
}

// writePlainJSON writes a file that has a version of its own, as recipes and models have.
func writePlainJSON(to io.Writer, file any) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(file)
}
