package image

import (
	"fmt"
	"slices"
)

// Fold is the image as a chip with a flash of size bytes holds it. A program that begins in the flash and runs over its
// end goes on at address 0, since the chip does not look at the address bits that it does not have, neither when it is
// programmed nor when it runs; the image that is returned has a note which says so. It is an error if something is there
// already, or if all lies beyond the end: then the file is for another chip.
func (im *Image) Fold(size uint32) (*Image, error) {
	if uint64(len(im.Flash)) <= uint64(size) {
		return im, nil
	}
	flash := slices.Clone(im.Flash[:size])
	used := make([]bool, size)
	var over, first uint32
	for _, r := range im.FlashUsed {
		for at := r.Lo; at < r.Hi; at++ {
			if used[at%size] || at >= 2*size {
				return nil, fmt.Errorf("%d bytes of flash", len(im.Flash))
			}
			if used[at%size] = true; at < size {
				continue
			}
			if over == 0 {
				first = at
			}
			over++
			flash[at%size] = im.Flash[at]
		}
	}
	// What runs over must be the end of something that begins below.
	if first != size || !used[size-1] {
		return nil, fmt.Errorf("%d bytes of flash", len(im.Flash))
	}
	folded := &Image{Path: im.Path, Format: im.Format, Hash: im.Hash, MCU: im.MCU, Arch: im.Arch, Flash: flash, FlashUsed: coveredRanges(used),
		EEPROM: im.EEPROM, Fuses: im.Fuses, Lock: im.Lock, Signature: im.Signature, Entry: im.Entry,
		Symbols: im.Symbols, Relocs: im.Relocs, symbols: im.symbols}
	folded.debug.sections = im.debug.sections
	folded.Notes = append(slices.Clone(im.Notes), fmt.Sprintf("%d bytes run over the end of flash at %#x and go on at address 0, as on the chip: is this build too long for its place?", over, size))
	return folded, nil
}
