// Package jsonfile reads JSON files that people write or edit, and reports the line and column of an error.
package jsonfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// place is where something stands in a text.
type place struct{ Line, Column int } // from 1

// placedError is what is wrong at a place of a text.
type placedError struct {
	place
	Err error
}

func (e *placedError) Error() string {
	return fmt.Sprintf("line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap is the error without its place.
func (e *placedError) Unwrap() error { return e.Err }

// Named names the file of an error: as FILE:LINE:COLUMN if it has a place.
func Named(path string, err error) error {
	if p := new(placedError); errors.As(err, &p) {
		return fmt.Errorf("%s:%d:%d: %w", path, p.Line, p.Column, p.Err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Decode reads one JSON document without unknown fields. What names it in errors, which have places.
func Decode(what string, data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	at := d.InputOffset()
	if err == nil {
		if _, rest := d.Token(); errors.Is(rest, io.EOF) {
			return nil
		}
		err = errors.New("there is more after the end")
	}
	return placed(what, data, at, err)
}

// Read reads one JSON document, and passes over fields that are not known. What names it in errors, which have places.
func Read(what string, data []byte, into any) error {
	if err := json.Unmarshal(data, into); err != nil {
		return placed(what, data, 0, err)
	}
	return nil
}

// placed is an error of package json at its place, or else at an offset.
func placed(what string, data []byte, at int64, err error) error {
	if s := new(json.SyntaxError); errors.As(err, &s) {
		at = s.Offset - 1 // it counts the byte that is wrong
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		if i := regexp.MustCompile(regexp.QuoteMeta(name) + `\s*:`).FindIndex(data); i != nil {
			at = int64(i[0])
		}
	}
	if t := new(json.UnmarshalTypeError); errors.As(err, &t) {
		at = t.Offset
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		at, err = int64(len(data)), errors.New("it is cut short")
	}
	return &placedError{placeOf(data, at), fmt.Errorf("%s: %w", what, err)}
}

// placeOf is the line and column of an offset.
func placeOf(data []byte, at int64) place {
	before := data[:max(0, min(at, int64(len(data))))]
	return place{1 + bytes.Count(before, []byte("\n")), 1 + len(before) - (bytes.LastIndexByte(before, '\n') + 1)}
}

// Document is a JSON text that knows where its values are.
type Document struct {
	data []byte
	at   map[string]int64 // offsets, by path
}

// Open reads where the values of a document are. A text that is not JSON has none.
func Open(data []byte) *Document {
	w := &walk{Document{data, map[string]int64{}}, json.NewDecoder(bytes.NewReader(data))}
	if w.value("") != nil {
		return &Document{data: data}
	}
	return &w.Document
}

// At is an error at the value with a path, as "post[0].task", or at the one that would hold it; the document itself is "".
func (d *Document) At(path string, err error) error {
	at, ok := d.at[path]
	for !ok && path != "" {
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
		at, ok = d.at[path]
	}
	return &placedError{placeOf(d.data, at), err}
}

// walk goes through a document token by token.
type walk struct {
	Document
	dec *json.Decoder
}

// value passes over a value, and notes where it and what it holds begin.
func (w *walk) value(path string) error {
	from := w.dec.InputOffset()
	for from < int64(len(w.data)) && strings.IndexByte(" \t\r\n,:", w.data[from]) >= 0 {
		from++
	}
	w.at[path] = from
	token, err := w.dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		for w.dec.More() {
			key, err := w.dec.Token()
			if err != nil {
				return err
			}
			if err := w.value(strings.TrimPrefix(path+"."+fmt.Sprint(key), ".")); err != nil {
				return err
			}
		}
	case json.Delim('['):
		for i := 0; w.dec.More(); i++ {
			if err := w.value(fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = w.dec.Token() // what closes it
	return err
}
