package disk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// PlacedError is what is wrong at a place of a text.
type PlacedError struct {
	Line, Column int // from 1
	Err          error
}

func (e *PlacedError) Error() string {
	return fmt.Sprintf("line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap is the error without its place.
func (e *PlacedError) Unwrap() error { return e.Err }

// Named names the file of an error: as FILE:LINE:COLUMN if it has a place.
func Named(path string, err error) error {
	if p := new(PlacedError); errors.As(err, &p) {
		return fmt.Errorf("%s:%d:%d: %w", path, p.Line, p.Column, p.Err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// DecodeJSON reads one JSON document without unknown fields. What names it in errors, which have places.
func DecodeJSON(what string, data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	at := d.InputOffset()
	if err == nil {
		if _, rest := d.Token(); errors.Is(rest, io.EOF) {
			return nil
		}
		err = errors.New("something comes behind the end")
	}
	return placed(what, data, at, err)
}

// ReadJSON reads one JSON document, and passes over fields that are not known. What names it in errors, which have places.
func ReadJSON(what string, data []byte, into any) error {
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
	before := data[:max(0, min(at, int64(len(data))))]
	line := 1 + bytes.Count(before, []byte("\n"))
	return &PlacedError{line, 1 + len(before) - (bytes.LastIndexByte(before, '\n') + 1), fmt.Errorf("%s: %w", what, err)}
}
