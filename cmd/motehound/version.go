package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"motehound/job/document"
)

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version [flags]",
		Short: "Print the version and the commit it was built from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return document.Write(stdout, builtFrom(debug.ReadBuildInfo()))
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "motehound %s\n", version())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, about("json"))
	return cmd
}

// buildInfo is what is known of this program.
type buildInfo struct {
	Version  string `json:"version"`  // of the module; devel if it has none
	Commit   string `json:"commit"`   // of the repository, in full; empty if not known
	Modified bool   `json:"modified"` // the sources differed from the commit
	Time     string `json:"commit_time,omitempty"`
	Platform string `json:"platform"`
	Go       string `json:"go"`
}

// builtFrom reads what the Go command has noted.
func builtFrom(info *debug.BuildInfo, ok bool) buildInfo {
	b := buildInfo{Version: "devel", Platform: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = strings.TrimSuffix(v, "+dirty")
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func (b buildInfo) String() string {
	commit := "unknown commit"
	if b.Commit != "" {
		commit = "commit " + b.Commit[:min(12, len(b.Commit))]
	}
	if b.Modified {
		commit += " with local changes"
	}
	return fmt.Sprintf("%s, %s, %s, %s", b.Version, commit, b.Platform, b.Go)
}

func version() string { return builtFrom(debug.ReadBuildInfo()).String() }
