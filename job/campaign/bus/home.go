package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"motehound/firmware/disk"
)

// Home is a folder that keeps campaigns, with a server of our own: in this process, or in another one that has the folder.
type Home struct {
	*Bus
	Access Access
	server *Server
	lock   *os.File
}

// atHome is what the file says that a server leaves for others of the same user.
type atHome struct {
	URL   string `json:"url"`
	Token string `json:"token"`
	// Lasting says that the server stays until its campaign is done. Others only look something up.
	Lasting bool `json:"lasting"`
}

// OpenHome reaches the server of a folder, and starts one if there is none. With o.Host another machine can reach it.
func OpenHome(ctx context.Context, o ServerOptions, a Access) (*Home, error) {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	const tries = 100
	for n := 0; ; n++ {
		h := &Home{}
		var err error
		if h.lock, err = disk.OpenLocked(filepath.Join(o.Dir, "lock")); err == nil {
			err = h.serve(ctx, o, a)
			if err != nil {
				h.Close()
			}
			return h, err
		}
		if !errors.Is(err, disk.ErrInUse) {
			return nil, err
		}
		if err = h.join(ctx, o, a); err == nil {
			return h, nil
		}
		if n == tries || a.Wait == nil || a.Wait(ctx, 100*time.Millisecond) != nil {
			return nil, err
		}
	}
}

func address(dir string) string { return filepath.Join(dir, "server.json") }

// serve starts a server.
func (h *Home) serve(ctx context.Context, o ServerOptions, a Access) (err error) {
	dir := o.Dir
	if err := os.Remove(address(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	o.Dir = filepath.Join(dir, "streams")
	if h.server, err = Serve(o); err != nil {
		return err
	}
	a.URL, a.Token = h.server.URL(), o.Token
	h.Access = a
	data, err := json.Marshal(atHome{h.Access.URL, o.Token, o.Lasting})
	if err != nil {
		return err
	}
	if err := disk.Write(address(dir), data, 0o600); err != nil {
		return err
	}
	h.Bus, err = Connect(ctx, h.Access)
	return err
}

// join reaches the server of another process.
func (h *Home) join(ctx context.Context, o ServerOptions, a Access) error {
	const most = 1 << 16
	data, err := disk.Read(address(o.Dir), most)
	var at atHome
	if err == nil {
		err = json.Unmarshal(data, &at)
	}
	if err != nil {
		return fmt.Errorf("another process has %s, and does not say how to reach it: %w", o.Dir, err)
	}
	if o.Lasting && !at.Lasting {
		return fmt.Errorf("another process reads %s: try again when it is done", o.Dir)
	}
	a.URL, a.Token = at.URL, at.Token
	h.Access = a
	h.Bus, err = Connect(ctx, a)
	return err
}

// Served tells whether a process has the campaigns of a folder.
func Served(dir string) bool {
	lock, err := disk.OpenLocked(filepath.Join(dir, "lock"))
	if err == nil {
		lock.Close()
	}
	return errors.Is(err, disk.ErrInUse)
}

// Serves tells whether the server is in this process: it ends with it.
func (h *Home) Serves() bool { return h.server != nil }

// Close ends the connection, and the server if it is ours.
func (h *Home) Close() {
	if h.Bus != nil {
		h.Bus.Close()
	}
	if h.server != nil {
		h.server.Close()
	}
	if h.lock != nil {
		h.lock.Close()
	}
}
