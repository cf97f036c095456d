package workbench

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
)

// route is something that can be asked for. The OpenAPI file is made of these.
type route struct {
	method, path, about string
	query               []parameter
	in, out             any // values of the types that are read and written; nil for none
	do                  func(s *Server, r *http.Request, in any) (any, error)
	stream              func(s *Server, w http.ResponseWriter, r *http.Request) // instead of do: server-sent events
}

type parameter struct {
	name, about string
	required    bool
}

const (
	mediaJSON  = "application/json"
	mediaBytes = "application/octet-stream"
)

// media is how the body of a request is written.
func (r *route) media() string {
	if _, bytes := r.in.([]byte); bytes {
		return mediaBytes
	}
	return mediaJSON
}

// anyDoc stands for any document of docs/json.md.
type anyDoc map[string]any

// listedDoc is findings that are kept from one hunt to the next.
type listedDoc struct {
	Findings []findings.Finding `json:"findings"`
}

// judgedDoc says what somebody thinks of a finding.
type judgedDoc struct {
	Reason string `json:"reason"` // why it does not matter
	Undo   bool   `json:"undo,omitempty"`
}

// Parameters of requests in a run.
var (
	atMoment = parameter{"at", "the moment: picoseconds since the start, or e17 or e17.PICOSECONDS of a finding with events", true}
	onMote   = parameter{"mote", "the mote's node id", true}
	goesBack = parameter{"back", "true: to the one before", false}
	onPath   = parameter{"path", "of a run of events: another path than its own, as choices names them", false}
)

// routes are all there are. In a run each can take a path.
func routes() []route {
	list := append(fixedRoutes(), campaignRoutes()...)
	for i := range list {
		if list[i].method == http.MethodGet && strings.HasPrefix(list[i].path, "/api/runs/") {
			list[i].query = append([]parameter{onPath}, list[i].query...)
		}
	}
	return list
}

func fixedRoutes() []route {
	return []route{
		{method: "GET", path: "/api/about", about: "What there is to work with", out: aboutDoc{}, do: (*Server).about},
		{method: "GET", path: "/api/openapi.json", about: "This description", out: anyDoc{}, do: func(*Server, *http.Request, any) (any, error) { return openAPI(), nil }},
		{method: "GET", path: "/api/files", about: "What can be worked with in a folder", query: []parameter{{"folder", "as seen from the working folder", false}}, out: filesDoc{}, do: (*Server).files},
		{method: "POST", path: "/api/files", about: "Keep a firmware file", query: []parameter{{"name", "letters, digits, dots, - and _", true}}, in: []byte{}, out: fileDoc{}, do: (*Server).upload},
		{method: "GET", path: "/api/scenarios", about: "A scenario file; one that is not there yet is empty", query: []parameter{{"path", "as seen from the working folder", true}}, out: scenarioDoc{}, do: (*Server).oneScenario},
		{method: "POST", path: "/api/scenarios", about: "Save a scenario file, if it is still of that version", in: scenarioDoc{}, out: scenarioDoc{}, do: (*Server).saveScenario},
		{method: "POST", path: "/api/scenarios/check", about: "Say what is wrong with a scenario, without saving it", in: scenarioDoc{}, out: checkedDoc{}, do: (*Server).checkScenario},
		{method: "GET", path: "/api/jobs", about: "All jobs, the last first", out: jobsDoc{}, do: (*Server).listJobs},
		{method: "POST", path: "/api/jobs", about: "Start a job", in: askedDoc{}, out: jobDoc{}, do: (*Server).startJob},
		{method: "GET", path: "/api/jobs/{job}", about: "A job, and how far it is", out: jobDoc{}, do: (*Server).oneJob},
		{method: "DELETE", path: "/api/jobs/{job}", about: "Cancel a job: it keeps what it has", out: jobDoc{}, do: (*Server).cancelJob},
		{method: "GET", path: "/api/jobs/{job}/events", about: "A job whenever it changes, as server-sent events called job, until it ends", out: jobDoc{}, stream: (*Server).events},
		{method: "GET", path: "/api/jobs/{job}/result", about: "The document of a job, as --json prints it", out: anyDoc{}, do: (*Server).result},
		{method: "GET", path: "/api/jobs/{job}/page", about: "What the page of a job shows, as --html has it", out: anyDoc{}, do: (*Server).resultPage},
		{method: "GET", path: "/api/jobs/{job}/judged", about: "What was said of the intervals of a job of mine", out: judgementsDoc{}, do: (*Server).judgements},
		{method: "POST", path: "/api/jobs/{job}/judged", about: "Confirm or reject an interval", in: judgementDoc{}, out: judgementsDoc{}, do: (*Server).judgeInterval},
		{method: "GET", path: "/api/findings", about: "The findings of all hunts", out: listedDoc{}, do: (*Server).listFindings},
		{method: "POST", path: "/api/findings/{key}", about: "Say why a finding does not matter, or take that back", in: judgedDoc{}, out: listedDoc{}, do: (*Server).judge},
		{method: "GET", path: "/api/views", about: "The views that were saved", out: viewsDoc{}, do: (*Server).listViews},
		{method: "POST", path: "/api/views", about: "Save a view; one of the same name is replaced", in: viewDoc{}, out: viewsDoc{}, do: (*Server).saveView},
		{method: "DELETE", path: "/api/views/{name}", about: "Remove a view", out: viewsDoc{}, do: (*Server).removeView},
		{method: "GET", path: "/api/models", about: "The files of approved models", out: modelsDoc{}, do: (*Server).listModels},
		{method: "POST", path: "/api/models", about: "Approve the models of a job of model, or violations that a job of verify has found", in: approveDoc{}, out: modelsDoc{}, do: (*Server).approve},
		{method: "POST", path: "/api/runs", about: "Open a run: of a recipe or bundle, or of firmware or a scenario as run makes it", in: job.Debug{}, out: openedDoc{}, do: (*Server).openJourney},
		{method: "GET", path: "/api/runs/{run}", about: "A run", out: openedDoc{}, do: (*Server).oneJourney},
		{method: "GET", path: "/api/runs/{run}/recorded", about: "How much of a run is recorded: the rest comes in the background", out: recordedDoc{}, do: at(recorded)},
		{method: "GET", path: "/api/runs/{run}/finding", about: "Where it goes wrong", out: foundDoc{}, do: at(finding)},
		{method: "GET", path: "/api/runs/{run}/state", about: "All motes at a moment, and one of them in detail", query: []parameter{atMoment, onMote}, out: document.State{}, do: at(lookAt)},
		{method: "GET", path: "/api/runs/{run}/choices", about: "What can happen at a moment of a run of events, and how its goals stand", query: []parameter{atMoment}, out: document.Choices{}, do: at(choices)},
		{method: "GET", path: "/api/runs/{run}/timeline", about: "What happened in a stretch", query: []parameter{{"from", "a moment", true}, {"to", "a moment", true},
			{"bins", "how many parts: lanes with more in them are counted", true}}, out: document.Timeline{}, do: at(timeline)},
		{method: "GET", path: "/api/runs/{run}/calls", about: "The functions that a mote executes in a stretch of a run of time", query: []parameter{onMote, {"from", "a moment", true}, {"to", "a moment", true}},
			out: document.Calls{}, do: at(calls)},
		{method: "GET", path: "/api/runs/{run}/step", about: "The next instruction, line or event, or the one before", query: []parameter{atMoment, onMote, {"by", "instruction, line, next, event or frame", true}, goesBack},
			out: arrivedDoc{}, do: at(step)},
		{method: "GET", path: "/api/runs/{run}/ran", about: "When a line runs next, or ran last", query: []parameter{atMoment, onMote, {"file", "the source file", true}, {"line", "the line", true}, goesBack},
			out: arrivedDoc{}, do: at(ran)},
		{method: "GET", path: "/api/runs/{run}/wrote", about: "Who wrote a variable last", query: []parameter{atMoment, onMote, {"variable", "as in table[3].addr", true},
			{"changed", "true: who gave it another value", false}}, out: document.Store{}, do: at(wrote)},
		{method: "GET", path: "/api/runs/{run}/source", about: "A source file, and how often its lines were executed", query: []parameter{onMote, {"file", "the source file", true}}, out: document.Covered{}, do: at(source)},
	}
}

func (s *Server) listFindings(*http.Request, any) (any, error) {
	d := &listedDoc{[]findings.Finding{}}
	err := s.inStore(func(store *findings.Store) error {
		d.Findings = append(d.Findings, store.All()...)
		return nil
	})
	for i := range d.Findings {
		d.Findings[i].Recipe, d.Findings[i].Bundle = inStore(d.Findings[i].Recipe), inStore(d.Findings[i].Bundle)
	}
	return d, err
}

// inStore is a file of the store as seen from the working folder.
func inStore(file string) string {
	if file == "" {
		return ""
	}
	return findings.Folder + "/" + file
}

func (s *Server) judge(r *http.Request, in any) (any, error) {
	var asked judgedDoc
	if err := decode(in.(json.RawMessage), &asked); err != nil {
		return nil, err
	}
	d := &listedDoc{[]findings.Finding{}}
	err := s.inStore(func(store *findings.Store) (err error) {
		if asked.Undo {
			d.Findings, err = store.Reopen(r.PathValue("key"))
		} else {
			d.Findings, err = store.Dismiss(r.PathValue("key"), asked.Reason)
		}
		return err
	})
	return d, err
}

// inStore does something with the findings. A hunt that is under way has them locked.
func (s *Server) inStore(do func(*findings.Store) error) error {
	s.store.Lock()
	defer s.store.Unlock()
	store, err := findings.Open(findings.Folder)
	if errors.Is(err, findings.ErrNone) {
		return nil
	}
	if err != nil {
		return problem{http.StatusConflict, err.Error()}
	}
	err = do(store)
	if closed := store.Close(); err == nil {
		err = closed
	}
	return err
}
