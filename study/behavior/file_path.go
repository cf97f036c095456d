package behavior

import "motehound/observe/calltree"

// Path is a model's common part as a layered function sequence.
func (m *FileModel) Path() ([]PathFunction, error) {
	tree, err := parseTree(calltree.NewBook(), m.Functions)
	if err != nil {
		return nil, err
	}
	return pathOf(tree, MaxDepth), nil
}
