package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/campaign/bus"
)

func workerCommand() *cobra.Command {
	var f busFlags
	var only, metrics, log string
	grace := 10 * time.Second
	cmd := &cobra.Command{Use: "worker [flags]", Short: "Do items of campaigns", Args: cobra.NoArgs,
		Long: `Does items of campaigns until it is ended. On SIGTERM it finishes its item if that takes less than --grace, else it gives it back. It does items
of campaigns that were started by the same version of Motehound only, and reads no other files than those that the campaign names, by their hash.`}
	f.register(cmd.Flags())
	f.lasting = true
	cmd.Flags().StringVar(&only, "campaign", "", "only items of the campaign with this `id`")
	cmd.Flags().StringVar(&metrics, "metrics", "", about("metrics"))
	cmd.Flags().StringVar(&log, "log", "text", "how to write what happens, on standard error: text or json")
	cmd.Flags().DurationVar(&grace, "grace", grace, "how long an item may go on after SIGTERM")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		logger := slog.New(handler(log))
		host, _ := os.Hostname()
		name := fmt.Sprintf("%s/%d", host, os.Getpid())
		home, err := f.home(cmd.Context(), "worker "+name)
		if err != nil {
			return err
		}
		defer home.Close()
		dir, err := filepath.Abs(filepath.Join(f.store, "worker"))
		if err != nil {
			return err
		}
		meter, err := newMetrics(metrics)
		if err != nil {
			return err
		}
		defer meter.close()
		debug.SetGCPercent(400)
		w := &bus.Worker{Bus: home.Bus, Name: name, Version: campaignVersion(), Dir: dir, Only: only, Enter: os.Chdir, Grace: grace,
			Host: job.Host{Now: time.Now, After: time.After},
			Say:  func(format string, args ...any) { logger.Warn(fmt.Sprintf(format, args...)) },
			Did: func(item, failed string) {
				meter.did(failed != "")
				if failed != "" {
					logger.Error("item failed", "item", item, "why", failed)
				} else {
					logger.Info("item done", "item", item)
				}
			}}
		logger.Info("worker ready", "name", name, "version", w.Version)
		return w.Run(withParent(cmd.Context()))
	}
	return cmd
}

func handler(form string) slog.Handler {
	if form == "json" {
		return slog.NewJSONHandler(os.Stderr, nil)
	}
	return slog.NewTextHandler(os.Stderr, nil)
}

// parentVariable tells a worker to end when nobody holds the other end of its standard input any more.
const parentVariable = "MOTEHOUND_WITH_PARENT"

// withParent is a context that ends with the process that started this one, if that has asked for it.
func withParent(ctx context.Context) context.Context {
	if os.Getenv(parentVariable) == "" {
		return ctx
	}
	child, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	return child
}

// crew is workers that a campaign has started on this machine.
type crew struct {
	cancel context.CancelFunc
	all    sync.WaitGroup
}

// newCrew starts workers, and starts one again that ends.
func newCrew(n int, access bus.Access, store, id string, term *terminal) *crew {
	ctx, cancel := context.WithCancel(context.Background())
	c := &crew{cancel: cancel}
	for range n {
		c.all.Go(func() {
			for try := 0; ctx.Err() == nil && try < 20; try++ {
				if err := oneWorker(ctx, access, store, id); err != nil && ctx.Err() == nil {
					term.note("a worker has ended (%v): another one is started", err)
				}
				_ = pause(ctx, time.Second)
			}
		})
	}
	return c
}

// oneWorker runs a worker until the context ends.
func oneWorker(ctx context.Context, access bus.Access, store, id string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{"worker", "--nats", access.URL, "--campaign", id, "--store", store, "--grace", "0s"}
	for flag, value := range map[string]string{"--nats-creds": access.Credentials, "--nats-ca": access.CA, "--nats-cert": access.Cert, "--nats-key": access.Key} {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), tokenVariable+"="+access.Token, parentVariable+"=1")
	alive, err := cmd.StdinPipe() // it ends with this process, however that ends
	if err != nil {
		return err
	}
	defer alive.Close()
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd.Run()
}

// end ends the workers.
func (c *crew) end() {
	c.cancel()
	c.all.Wait()
}

// hostPort reads HOST:PORT.
func hostPort(flag, text string) (string, int, error) {
	host, port, err := net.SplitHostPort(text)
	n, bad := strconv.Atoi(port)
	if err != nil || bad != nil || n < 0 || n > 65535 {
		return "", 0, fmt.Errorf("%s %q: write HOST:PORT, such as 0.0.0.0:4222", flag, text)
	}
	return host, n, nil
}
