package job

import (
	"fmt"
	"slices"
	"strconv"

	"motehound/study/builds"
	"motehound/world"
)

// ChosenMotes is the indices of the motes that --node names; nil for all.
func ChosenMotes(w *world.World, node []string) ([]int, error) {
	if slices.Equal(node, []string{"all"}) {
		return nil, nil
	}
	var list []int
	for _, text := range node {
		id, err := nodeID(text)
		if err != nil {
			return nil, fmt.Errorf("%w, or all", err)
		}
		i, err := FindMote(w, id)
		if err != nil {
			return nil, fmt.Errorf("--node: %w", err)
		}
		list = append(list, i)
	}
	return list, nil
}

// OneNode is the node id that --node names, or the usual one if it was not given.
func OneNode(node []string, usual int) (int, error) {
	switch len(node) {
	case 0:
		return usual, nil
	case 1:
		return nodeID(node[0])
	}
	return 0, fmt.Errorf("--node: give one mote, not %d", len(node))
}

func nodeID(text string) (int, error) {
	id, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("--node %q: give a node id, 0 to 65535", text)
	}
	return int(id), nil
}

// FindMote is the index of the mote with a node id; -1 is the first, and 0 the only one.
func FindMote(w *world.World, id int) (int, error) {
	i, err := builds.Of(w).Mote(id)
	if err != nil && (id < 0 || id == 0 && len(w.Motes()) == 1) {
		return 0, nil
	}
	return i, err
}
