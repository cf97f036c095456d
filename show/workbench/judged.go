package workbench

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"

	"motehound/firmware/disk"
)

// judgementDoc is what somebody says of an interval of a job of mine.
type judgementDoc struct {
	Key  string `json:"key"`  // firmware, vector, run, mote and instance, with spaces between
	Says string `json:"says"` // confirmed, rejected, or "" to take it back
}

// judgementsDoc is all that was said, by key.
type judgementsDoc struct {
	Judged map[string]string `json:"judged"`
}

const (
	mostJudged = 1000
	longestKey = 1000
)

func judgedPath(folder string) string { return filepath.Join(folder, "judged.json") }

func (s *Server) judgements(r *http.Request, _ any) (any, error) {
	x, err := s.oneJob(r, nil)
	if err != nil {
		return nil, err
	}
	d := &judgementsDoc{map[string]string{}}
	data, err := disk.Read(judgedPath(x.(jobDoc).Folder), mostJudged*longestKey*2)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &d.Judged)
	}
	return d, err
}

func (s *Server) judgeInterval(r *http.Request, in any) (any, error) {
	var asked judgementDoc
	if err := decode(in.(json.RawMessage), &asked); err != nil {
		return nil, err
	}
	if asked.Key == "" || len(asked.Key) > longestKey || asked.Says != "" && asked.Says != "confirmed" && asked.Says != "rejected" {
		return nil, bad("say of which interval, and confirmed, rejected, or nothing to take it back")
	}
	s.store.Lock()
	defer s.store.Unlock()
	x, err := s.judgements(r, nil)
	if err != nil {
		return nil, err
	}
	d := x.(*judgementsDoc)
	if d.Judged[asked.Key] = asked.Says; asked.Says == "" {
		delete(d.Judged, asked.Key)
	}
	if len(d.Judged) > mostJudged {
		return nil, bad("at most %d intervals of a job can be judged", mostJudged)
	}
	j, err := s.oneJob(r, nil)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(d.Judged)
	if err == nil {
		err = disk.Write(judgedPath(j.(jobDoc).Folder), data, 0o644)
	}
	return d, err
}
