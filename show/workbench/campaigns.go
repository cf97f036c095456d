package workbench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"motehound/job/campaign/bus"
	"motehound/job/document"
	"motehound/job/findings"
)

// campaignsDoc is the campaigns of the working folder, and who works.
type campaignsDoc struct {
	Campaigns []campaignDoc             `json:"campaigns"`
	Workers   []document.CampaignWorker `json:"workers"` // those that answered
}

// campaignDoc is how far a campaign is.
type campaignDoc struct {
	document.CampaignStatus
	Rate float64 `json:"rate"` // items that were done in a second, lately
}

// campaignRoutes are those about campaigns.
func campaignRoutes() []route {
	return []route{
		{method: "GET", path: "/api/campaigns", about: "The campaigns of the working folder, and how far they are", out: campaignsDoc{}, do: (*Server).listCampaigns},
		{method: "GET", path: "/api/campaigns/events", about: "The same whenever it changes, as server-sent events called campaigns", out: campaignsDoc{}, stream: (*Server).followCampaigns},
	}
}

// campaignFolder is where the campaigns of the working folder are.
var campaignFolder = filepath.Join(findings.Folder, "campaigns")

// followedCampaigns is somebody's view of the campaigns.
type followedCampaigns struct {
	home   *bus.Home // nil if nobody is reached
	follow bus.Follower
	before map[string]int // items that were done the last time
	at     time.Time      // of that
}

// look is how far the campaigns are. The server is that of who has them done. If nobody does, it is asked for once, and then left alone for others.
func (f *followedCampaigns) look(ctx context.Context) (*campaignsDoc, error) {
	d := &campaignsDoc{Campaigns: []campaignDoc{}, Workers: []document.CampaignWorker{}}
	if _, err := os.Stat(campaignFolder); err != nil {
		return d, nil
	}
	if f.home == nil {
		o := bus.ServerOptions{Dir: campaignFolder, Token: rand.Text(), Say: func(string, ...any) {}}
		home, err := bus.OpenHome(ctx, o, bus.Access{Name: "workbench", Wait: wait, Once: true})
		if err != nil {
			return nil, problem{http.StatusServiceUnavailable, "the campaigns cannot be looked at now: " + err.Error()}
		}
		f.home, f.follow = home, bus.Follower{Bus: home.Bus}
	}
	const workersAnswer = 300 * time.Millisecond
	list, err := f.follow.Look(ctx, "", time.After(workersAnswer))
	if err != nil || f.home.Serves() {
		f.close()
	}
	if err != nil {
		return nil, problem{http.StatusServiceUnavailable, "the campaigns cannot be looked at now: " + err.Error()}
	}
	d.Workers = list.Workers
	now := time.Now()
	done := map[string]int{}
	for _, c := range list.Campaigns {
		x := campaignDoc{CampaignStatus: c}
		if before, known := f.before[c.Campaign]; known && now.After(f.at) {
			x.Rate = float64(max(0, c.Done-before)) / now.Sub(f.at).Seconds()
		}
		done[c.Campaign] = c.Done
		d.Campaigns = append(d.Campaigns, x)
	}
	f.before, f.at = done, now
	return d, nil
}

func (f *followedCampaigns) close() {
	if f.home != nil {
		f.home.Close()
		f.home = nil
	}
}

const often, seldom = time.Second, 3 * time.Second

// idle waits until there may be something new: soon if somebody has campaigns done, else when somebody begins.
func (f *followedCampaigns) idle(ctx context.Context) error {
	if f.home != nil {
		return wait(ctx, often)
	}
	for {
		if err := wait(ctx, seldom); err != nil || bus.Served(campaignFolder) {
			return err
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Server) listCampaigns(r *http.Request, _ any) (any, error) {
	f := new(followedCampaigns)
	defer f.close()
	return f.look(r.Context())
}

// followCampaigns streams the campaigns: all of them, whenever something has changed.
func (s *Server) followCampaigns(w http.ResponseWriter, r *http.Request) {
	out, end := s.stream(w)
	if out == nil {
		return
	}
	defer end()
	f := new(followedCampaigns)
	defer f.close()
	var last *campaignsDoc
	for {
		d, err := f.look(r.Context())
		if err != nil { // a browser would not ask again
			if wait(r.Context(), often) != nil {
				return
			}
			continue
		}
		if !reflect.DeepEqual(d, last) {
			data, err := json.Marshal(d)
			if err != nil || out("campaigns", data) != nil {
				return
			}
			last = d
		}
		if f.idle(r.Context()) != nil {
			return
		}
	}
}

// stream begins a stream of events, and gives what writes one; nil if there are too many.
func (s *Server) stream(w http.ResponseWriter) (write func(name string, data []byte) error, end func()) {
	select {
	case s.streams <- struct{}{}:
	default:
		refuse(w, http.StatusTooManyRequests, "too many streams of events are open: close some pages")
		return nil, nil
	}
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	return func(name string, data []byte) error {
		_ = out.SetReadDeadline(time.Time{}) // the request was read long ago
		if err := out.SetWriteDeadline(time.Now().Add(bodyTime)); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
		return errors.Join(err, out.Flush())
	}, func() { <-s.streams }
}
