package main

import (
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand is for make release.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a folder",
		Long:   `Writes a manual page for each command into a folder, which it makes.`,
		Hidden: true,
		Args:   exactlyOne("folder", "man"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			// Pages of one commit are the same whenever they are written.
			b := builtFrom(debug.ReadBuildInfo())
			at, err := time.Parse(time.RFC3339, b.Time)
			if err != nil {
				at = time.Unix(0, 0).UTC()
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "motehound " + b.Version, Manual: "Motehound", Date: &at}, args[0])
		},
	}
}
