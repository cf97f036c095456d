package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
	"motehound/job/hunt"
	"motehound/show/report"
)

// command is a kind of job that can be asked for.
type command struct {
	name  string
	usual any // its request, if nothing is said
	// start checks a request, and gives what does it. Files are written to a folder.
	start func(s *Server, data []byte, out string) (run, error)
}

// run does a job. Page is what its pane shows.
type run func(ctx context.Context, h job.Host) (doc, page any, err error)

// commandOf makes a command of a job: what is usual, what is allowed, what is done, and what is shown of the result.
func commandOf[F, R any](name string, usual func() F, allow func(s *Server, f *F, out string) error, do func(F, context.Context, job.Host) (R, error), show func(s *Server, f *F, r R) (doc, page any)) command {
	return command{name, usual(), func(s *Server, data []byte, out string) (run, error) {
		f := usual()
		if err := decode(data, &f); err != nil {
			return nil, err
		}
		if err := allow(s, &f, out); err != nil {
			return nil, err
		}
		return func(ctx context.Context, h job.Host) (doc, page any, err error) {
			r, err := do(f, ctx, h)
			if err == nil {
				doc, page = show(s, &f, r)
			}
			return doc, page, err
		}, nil
	}}
}

// commands are all there are.
func commands() []command {
	return []command{
		commandOf("check", func() job.Check { return job.NewCheck("") }, allowCheck, job.Check.Do,
			func(s *Server, f *job.Check, r *job.Checked) (doc, page any) {
				return r.Document, report.CheckPage(r, s.page(f.File))
			}),
		commandOf("hunt", func() hunt.Request { return hunt.New("") }, allowHunt, hunt.Request.Do,
			func(s *Server, f *hunt.Request, r *document.Hunted) (doc, page any) {
				return r, report.HuntPage(r, s.page(f.File))
			}),
		commandOf("fuzz", func() job.Fuzz { return job.NewFuzz("") }, allowFuzz, job.Fuzz.Do,
			func(s *Server, f *job.Fuzz, r *job.Fuzzed) (doc, page any) {
				return r.Document, report.FuzzPage(r, s.page(f.File))
			}),
		commandOf("symbolic", func() job.Symbolic { return job.NewSymbolic("") }, allowSymbolic, job.Symbolic.Do,
			func(s *Server, f *job.Symbolic, r *job.Outcomes) (doc, page any) {
				return r.Document, report.SymbolicPage(r, f, s.page(f.File))
			}),
		commandOf("mine", func() job.Mine { return job.NewMine() }, allowMine, job.Mine.Do,
			func(s *Server, f *job.Mine, r *job.Mined) (doc, page any) {
				return r.Document, report.MinePage(r, f.Top, s.page(strings.Join(f.Files, ", ")))
			}),
		commandOf("model", func() job.ModelMine { return job.NewModelMine("") }, allowModel, job.ModelMine.Do,
			func(s *Server, _ *job.ModelMine, r *job.ModelsMined) (doc, page any) {
				return r.Document(), s.minedPage(r)
			}),
		commandOf("verify", func() job.ModelVerify { return job.NewModelVerify("", "") }, allowVerify, job.ModelVerify.Do,
			func(s *Server, _ *job.ModelVerify, r *job.ModelsVerified) (doc, page any) {
				return r.Document(), s.verifiedPage(r)
			}),
		traceCommand(),
		commandOf("run", func() job.Run { return job.Run{World: job.NewWorld()} }, allowRun, job.Run.Do,
			func(_ *Server, _ *job.Run, r *job.Ran) (doc, page any) { return r.Document, nil }),
	}
}

func commandNames() (names []string) {
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

func findCommand(name string) (command, error) {
	list := commands()
	i := slices.IndexFunc(list, func(c command) bool { return c.name == name })
	if i < 0 {
		return command{}, bad("there is no command %s: choose one of %s", quoted(name), strings.Join(commandNames(), ", "))
	}
	return list[i], nil
}

// world checks what a request says of motes.
func (s *Server) world(w *job.World, file string) error {
	if err := s.may(file); err != nil {
		return err
	}
	if !slices.Contains(job.Topologies(), w.Topology) {
		if err := s.inside(w.Topology); err != nil {
			return err
		}
	}
	for _, text := range w.SerialIn {
		if path, ok := strings.CutPrefix(text, "@"); ok {
			if err := s.inside(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// local refuses what names files for which the command line is the better place.
func local(fields map[string]string) error {
	for name, value := range fields {
		if value != "" {
			return bad("%s cannot be given here: use the command line", name)
		}
	}
	return nil
}

func (s *Server) page(file string) report.Asked {
	return report.Asked{Motehound: s.Version, File: file, Read: s.readSource}
}

func allowCheck(s *Server, f *job.Check, out string) error {
	f.Out, f.Resume, f.Threads = out, false, threads(f.Threads)
	for _, k := range f.Kernels {
		if _, file, ok := strings.Cut(k, "="); ok {
			k = file
		}
		if err := s.inside(k); err != nil {
			return err
		}
	}
	return s.world(&f.World, f.File)
}

func allowFuzz(s *Server, f *job.Fuzz, out string) error {
	if err := local(map[string]string{"corpus": f.Corpus}); err != nil {
		return err
	}
	return allowCheck(s, &f.Check, out)
}

func allowHunt(s *Server, f *hunt.Request, out string) error {
	f.Out, f.Store, f.Version, f.Threads = out, findings.Folder, s.Version, threads(f.Threads)
	return s.world(&f.World, f.File)
}

func allowSymbolic(s *Server, f *job.Symbolic, out string) error {
	f.Out, f.Resume = out, false
	if err := local(map[string]string{"queries": f.Queries}); err != nil {
		return err
	}
	return s.world(&f.World, f.File)
}

func allowMine(s *Server, f *job.Mine, _ string) error {
	f.Page = true
	if len(f.Files) == 0 {
		return s.may("")
	}
	for _, file := range f.Files {
		if err := s.world(&f.World, file); err != nil {
			return err
		}
	}
	return local(map[string]string{"trace": f.Trace, "trace_map": f.Map})
}

func allowRun(s *Server, f *job.Run, out string) error {
	f.Out = out
	if err := local(map[string]string{"lifecycle": f.Lifecycle.Lifecycle}); err != nil {
		return err
	}
	return s.world(&f.World, f.File)
}

// keep writes a result into the folder of its job.
func keep(folder string, doc, page any) error {
	if err := job.KeepReport(folder, documented(doc)); err != nil {
		return err
	}
	if page == nil {
		return nil
	}
	text, err := json.Marshal(page)
	if err != nil {
		return fmt.Errorf("the page: %w", err)
	}
	return os.WriteFile(pagePath(folder), text, 0o644)
}

// documented is a document that has fields.
func documented(doc any) any {
	if r, ok := doc.(document.Rankings); ok && len(r.Rankings) == 1 {
		return r.Rankings[0]
	}
	return doc
}
