package bus_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"motehound/job/campaign"
	"motehound/job/campaign/bus"
)

// The disk of a server is full, in the middle of a campaign. When there is room again and the server is started again, the result is as if nothing had happened.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("a small disk cannot be mounted: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	var heard said
	c := many(t, 60)
	want := straight(t, c)
	full, err := bus.Serve(bus.ServerOptions{Dir: filepath.Join(dir, "streams"), Token: "secret", Say: heard.say})
	if err != nil {
		t.Fatal(err)
	}
	b := connect(t, full)
	ctx, cancel := context.WithCancel(t.Context())
	l, q := opened(t, ctx, b, c)
	stopped := make(chan error, 1)
	go func() {
		stopped <- (&campaign.Coordinator{Ledger: l, Queue: q, Window: 100, Say: heard.say, Tell: func(int, int) { fill(t, filepath.Join(dir, "ballast")) }}).Run(ctx)
	}()
	workSaying(t, ctx, connect(t, full), 1, heard.say)
	for !heard.has("is full: make room") || !heard.has("results wait until they can be stored") {
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	full.Close()
	if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
		t.Fatal(err)
	}
	s, b := serve(t, filepath.Join(dir, "streams"))
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	work(t, ctx, connect(t, s), 1)
	if got := coordinate(t, ctx, b, c); !bytes.Equal(got, want) {
		t.Errorf("after there was room\n%s\nat once\n%s", got, want)
	}
}

// fill fills the disk on which a file is.
func fill(t *testing.T, file string) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
}
