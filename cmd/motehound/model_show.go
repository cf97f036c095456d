package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"motehound/job"
	"motehound/job/document"
	"motehound/show/picture"
	"motehound/show/text"
)

func modelShowCommand() *cobra.Command {
	var asJSON bool
	var names []string
	var firmware string
	var draw pictureFlags
	cmd := &cobra.Command{
		Use:   "show [flags] FILE",
		Short: "Print or draw approved models, with what each calls",
		Long: `Prints the models of a file with what each calls, their job flows, and what interleaves those. --html, --svg and --dot also draw
them, with source code found beside the firmware; --firmware names the firmware if it has moved.`,
		Args: exactlyOne("model file", "app.models.json"),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := job.ReadModels(args[0])
			if err != nil {
				return err
			}
			note := func(text string) { fmt.Fprintf(os.Stderr, "note: %s\n", text) }
			if draw.wanted() {
				p, of, err := picture.OfFile(f, args[0], firmware, names, note)
				if err == nil {
					err = draw.write(p, of)
				}
				if err != nil {
					return err
				}
			}
			if asJSON {
				return document.WritePlain(stdout, f)
			}
			p := text.Models{To: stdout, Trees: true, Only: names}
			p.File(f, nil)
			return p.Missing()
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringArrayVar(&names, "model", nil, "only this `model` (repeatable)")
	draw.register(fl)
	fl.StringVar(&firmware, "firmware", "", about("firmware"))
	fl.BoolVar(&asJSON, "json", false, about("json"))
	return cmd
}

func modelDiffCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff [flags] FILE FILE",
		Short: "Compare the models of two firmware versions",
		Long: `Compares two model files: models that only one of them has, models that differ (with the first function that differs), job flows, and
what interleaves them. Exit status: 0 they are equal, 1 they differ.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("give two model files, for example: motehound model diff old.json new.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := job.ModelDiff{From: args[0], To: args[1]}.Do()
			if err != nil {
				return err
			}
			if asJSON {
				err = document.Write(stdout, d)
			} else {
				p := text.Models{To: stdout}
				p.Difference(d)
			}
			if err == nil && !d.Same() {
				return errFound
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, about("json"))
	return cmd
}
