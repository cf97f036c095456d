package workbench

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"motehound/firmware/disk"
)

// viewDoc is a view that somebody wants to see again: a name for an address of the page.
type viewDoc struct {
	Name    string `json:"name"`
	Address string `json:"address"` // what is behind the path of the page: ?run=...
}

// viewsDoc is all views, by name.
type viewsDoc struct {
	Views []viewDoc `json:"views"`
}

const (
	mostViews      = 500
	longestName    = 200
	longestAddress = 20_000
)

var viewsPath = filepath.Join(kept, "views.json")

func (s *Server) listViews(*http.Request, any) (any, error) {
	d := &viewsDoc{[]viewDoc{}}
	data, err := disk.Read(viewsPath, mostViews*(longestName+longestAddress)*2)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err == nil {
		err = json.Unmarshal(data, d)
	}
	return d, err
}

// change changes the views that are kept.
func (s *Server) change(how func([]viewDoc) ([]viewDoc, error)) (any, error) {
	s.store.Lock()
	defer s.store.Unlock()
	x, err := s.listViews(nil, nil)
	if err != nil {
		return nil, err
	}
	d := x.(*viewsDoc)
	if d.Views, err = how(d.Views); err != nil {
		return nil, err
	}
	slices.SortFunc(d.Views, func(a, b viewDoc) int { return strings.Compare(a.Name, b.Name) })
	data, err := json.Marshal(d)
	if err == nil {
		err = disk.Write(viewsPath, data, 0o644)
	}
	return d, err
}

func (s *Server) saveView(_ *http.Request, in any) (any, error) {
	var v viewDoc
	if err := decode(in.(json.RawMessage), &v); err != nil {
		return nil, err
	}
	if v.Name == "" || len(v.Name) > longestName || !strings.HasPrefix(v.Address, "?") || len(v.Address) > longestAddress {
		return nil, bad("a view has a name of up to %d bytes, and an address that begins with a question mark and has up to %d", longestName, longestAddress)
	}
	return s.change(func(list []viewDoc) ([]viewDoc, error) {
		list = append(slices.DeleteFunc(list, func(x viewDoc) bool { return x.Name == v.Name }), v)
		if len(list) > mostViews {
			return nil, bad("there are %d views: remove one", mostViews)
		}
		return list, nil
	})
}

func (s *Server) removeView(r *http.Request, _ any) (any, error) {
	return s.change(func(list []viewDoc) ([]viewDoc, error) {
		n := len(list)
		if list = slices.DeleteFunc(list, func(x viewDoc) bool { return x.Name == r.PathValue("name") }); len(list) == n {
			return nil, problem{http.StatusNotFound, "there is no view " + quoted(r.PathValue("name"))}
		}
		return list, nil
	})
}
