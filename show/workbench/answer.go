package workbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"motehound/job"
	"motehound/study/travel"
)

// problem is an error with its status.
type problem struct {
	status int
	text   string
}

// Error implements error.
func (p problem) Error() string { return p.text }

func bad(format string, args ...any) error {
	return problem{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// refusedDoc is the document of an error.
type refusedDoc struct {
	Error string `json:"error"`
}

func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(refusedDoc{text}) // whoever asked may be gone
}

func quoted(text string) string { return fmt.Sprintf("%.80q", text) }

// answer does what a route says, and writes the document.
func (s *Server) answer(rt route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if rt.stream != nil {
			rt.stream(s, w, r)
			return
		}
		for _, q := range rt.query {
			if q.required && r.URL.Query().Get(q.name) == "" {
				fail(w, bad("%s is missing: %s", q.name, q.about))
				return
			}
		}
		in := rt.in
		if in != nil {
			var err error
			if in, err = s.read(w, r, rt); err != nil {
				fail(w, err)
				return
			}
		}
		out, err := rt.do(s, r, in)
		if err != nil {
			fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if raw, ok := out.(json.RawMessage); ok {
			_, _ = w.Write(raw) // whoever asked may be gone
			return
		}
		_ = json.NewEncoder(w).Encode(out)
	}
}

// read reads the body of a request.
func (s *Server) read(w http.ResponseWriter, r *http.Request, rt route) (any, error) {
	if kind := r.Header.Get("Content-Type"); kind != rt.media() {
		return nil, problem{http.StatusUnsupportedMediaType, "send " + rt.media()}
	}
	most := int64(mostBody)
	if rt.media() != mediaJSON {
		most = mostUpload
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		return nil, err
	}
	if rt.media() != mediaJSON {
		return data, nil
	}
	return json.RawMessage(data), nil
}

// decode reads JSON into a value, and refuses what the value has no field for.
func decode(data []byte, into any) error {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return bad("the request is wrong: %v", err)
	}
	return nil
}

// fail says what is wrong.
func fail(w http.ResponseWriter, err error) {
	var (
		known problem
		large *http.MaxBytesError
		half  *job.Unfinished
	)
	switch {
	case errors.As(err, &known):
		refuse(w, known.status, known.text)
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("at most %d bytes may be sent", large.Limit))
	case errors.Is(err, travel.ErrInterrupted), errors.Is(err, context.Canceled), errors.As(err, &half):
		refuse(w, http.StatusServiceUnavailable, "interrupted")
	default:
		refuse(w, http.StatusBadRequest, err.Error())
	}
}
