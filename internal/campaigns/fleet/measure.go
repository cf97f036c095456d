package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"motehound/internal/cases/campaigned"
	"motehound/internal/cases/measured"
	"motehound/job"
)

// measure does a campaign with items of a usual size, and one with items that do nothing, with a server and a worker in this process.
func (f *fleet) measure(items int) error {
	const walks, events, idle = 10, 20_000, 500
	if items < 1 {
		return errors.New("-measure: give at least 1")
	}
	c := &job.Shared{Request: job.NewFuzz("")}
	c.Request.Check = job.NewCheck("example:counter")
	length := events
	c.Request.Events, c.Request.Nodes = &length, 4
	var err error
	f.costs, err = campaigned.Do(campaigned.Here(), "items of a usual size", numbers(items), func(n int) (float64, error) {
		before := measured.CPUSeconds()
		share := job.Share{Until: (n + 1) * walks}
		share.From = n * walks
		_, err := c.Do(context.Background(), share, job.Host{})
		return measured.CPUSeconds() - before, err
	})
	if err != nil {
		return err
	}
	before := measured.CPUSeconds()
	if _, err := campaigned.Do(campaigned.Here(), "nothing", numbers(idle), func(int) (int, error) { return 0, nil }); err != nil {
		return err
	}
	each := (measured.CPUSeconds() - before) / idle
	for _, x := range f.costs {
		f.cost += x / float64(items)
	}
	fmt.Printf("measured: items of %d walks take %.1f to %.1f s of CPU time; server, coordinator and worker take %.0f us for each\n", walks, slices.Min(f.costs), slices.Max(f.costs), each*1e6)
	return nil
}

func numbers(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}
