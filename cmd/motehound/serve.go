package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"motehound/show/workbench"
)

const serveLong = `Opens Motehound in a browser: start jobs, watch them, look at what they found, and travel through runs to the line that did it. It prints the
address to open. The argument is what to work with: firmware, a scenario, a recipe, or the folder to work in, which is the current one otherwise.

Only this machine can connect, and only with the token in that address. Nothing outside of the folder is read or written on request. Results are kept in
.motehound there, and are back when the server is started again. Ctrl-C ends it. docs/workbench.md has a tour.`

func serveCommand() *cobra.Command {
	var listen string
	cmd := &cobra.Command{Use: "serve [flags] [FIRMWARE|SCENARIO|RECIPE|FOLDER]", Short: "Open the workbench in a browser", Long: serveLong, Args: cobra.MaximumNArgs(1)}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:7070", "`address` to listen on; port 0 takes a free one")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		file := ""
		if len(args) > 0 {
			file = args[0]
		}
		return serve(cmd.Context(), listen, file)
	}
	return cmd
}

func serve(ctx context.Context, listen, file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		if err := os.Chdir(file); err != nil {
			return err
		}
		file = ""
	}
	token := rand.Text()
	server, err := workbench.New(workbench.Options{Folder: ".", File: file, Version: version(), Token: token, Collect: debug.SetGCPercent,
		Say: func(format string, args ...any) { fmt.Fprintf(os.Stderr, "motehound: "+format+"\n", args...) }})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w: choose another port, or 0 for any", listen, err)
	}
	fmt.Fprintf(stdout, "http://%s/?token=%s\n", l.Addr(), token)
	return server.Serve(ctx, l)
}
