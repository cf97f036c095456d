// Package avr is the AVR instruction set (AVRe, AVRe+ and cores with a 22-bit program counter): one table from which
// instructions are decoded and disassembled, and a core that executes them with exact cycles and flags.
//
// Invariants: every opcode word decodes to exactly one row of the table or to none; decoding happens once per image,
// into records that all motes share and nobody changes; a Core's State is plain data; the execution loop has no
// hooks in it (watchers get a program whose watched records say so, see Program.Hooked).
//
// Source: AVR Instruction Set Manual, DS40002198.
package avr

// Op is a row of the instruction table, or one of the pseudo operations after it.
type Op uint8

// Need is a set of core features that an instruction needs.
type Need uint16

const (
	NeedMul      Need = 1 << iota // hardware multiplier
	NeedMovw                      // MOVW
	NeedJmp                       // JMP and CALL
	NeedLpmx                      // LPM Rd, Z and LPM Rd, Z+
	NeedElpm                      // ELPM, ELPM Rd, Z(+), RAMPZ
	NeedEind                      // EIJMP, EICALL: 22-bit program counter
	NeedSpm                       // SPM
	NeedBreak                     // BREAK
	NeedXmega                     // SPM Z+, DES, XCH, LAC, LAS, LAT: no AVRe or AVRe+ core has them
	AVRe         = NeedMovw | NeedLpmx | NeedSpm | NeedBreak
	AVRePlus     = AVRe | NeedMul | NeedJmp // 16-bit program counter, up to 64 KiB of flash
	AVRePlusElpm = AVRePlus | NeedElpm      // ... up to 128 KiB
	AVRePlus22   = AVRePlusElpm | NeedEind  // ... 22-bit program counter
)

// form says how the letters of a pattern become operands, and how they are written.
type form uint8

const (
	fNone    form = iota
	fRd           // d
	fRdRr         // d, r
	fRdK          // d in 16..31, K
	fRdwK         // d in 24, 26, 28, 30, K6
	fRdwRrw       // register pairs (MOVW)
	fRd4Rr4       // d, r in 16..31 (MULS)
	fRd3Rr3       // d, r in 16..23 (MULSU, FMUL family)
	fRdA          // IN d, A
	fARr          // OUT A, d
	fAb           // A, b
	fRdb          // d, b
	fRel12        // k, relative, 12 bits
	fRel7         // k, relative, 7 bits
	fAbs22        // k, absolute, second word
	fRdAbs16      // LDS d, k
	fAbs16Rd      // STS k, d
	fLoad         // d, pointer
	fStore        // pointer, d
	fLoadQ        // d, pointer+q
	fStoreQ       // pointer+q, d
	fK4           // DES
	fPointer      // pointer alone
)

// row is one instruction: how it is encoded and written, and all that is true of it whatever its operands are. Nobody else
// spells these facts out: Inst has methods that tell them, of given operands.
type row struct {
	name    string
	pattern string // 16 letters: 0 and 1 are fixed, others are operand bits, most significant first
	form    form
	arg     string // the pointer operand as written; also where it is implied, as Z is by LPM and IJMP
	effect  string // "what it writes=what it reads", in the letters of parseEffect; pointers and SP follow from arg and memory
	memory  memory
	flow    Flow
	cycles  uint8 // see Inst.Cycles for what is added
	need    Need  // rows with NeedXmega are for the disassembler alone, and say nothing of what they do
}

// memory is what an instruction does to memory.
type memory uint8

const (
	none     memory = iota
	loads           // a byte of the data space: at the pointer, or at K
	stores          // likewise
	alters          // reads and writes it
	pushes          // a byte
	pops            // likewise
	pushesPC        // a return address
	popsPC          // likewise
	fetches         // a byte of program memory
	programs        // program memory
	asks            // none: the chip does something
)

// The order of these constants is the order of the table.
const (
	OpNop Op = iota
	OpMovw
	OpMuls
	OpMulsu
	OpFmul
	OpFmuls
	OpFmulsu
	OpCpc
	OpSbc
	OpAdd
	OpCpse
	OpCp
	OpSub
	OpAdc
	OpAnd
	OpEor
	OpOr
	OpMov
	OpCpi
	OpSbci
	OpSubi
	OpOri
	OpAndi
	OpLddZ
	OpLddY
	OpStdZ
	OpStdY
	OpLds
	OpLdZInc
	OpLdZDec
	OpLpmZ
	OpLpmZInc
	OpElpmZ
	OpElpmZInc
	OpLdYInc
	OpLdYDec
	OpLdX
	OpLdXInc
	OpLdXDec
	OpPop
	OpSts
	OpStZInc
	OpStZDec
	OpXch
	OpLas
	OpLac
	OpLat
	OpStYInc
	OpStYDec
	OpStX
	OpStXInc
	OpStXDec
	OpPush
	OpCom
	OpNeg
	OpSwap
	OpInc
	OpAsr
	OpLsr
	OpRor
	OpDec
	OpSec
	OpSez
	OpSen
	OpSev
	OpSes
	OpSeh
	OpSet
	OpSei
	OpClc
	OpClz
	OpCln
	OpClv
	OpCls
	OpClh
	OpClt
	OpCli
	OpRet
	OpReti
	OpSleep
	OpBreak
	OpWdr
	OpLpm
	OpElpm
	OpSpm
	OpSpmZInc
	OpIjmp
	OpEijmp
	OpIcall
	OpEicall
	OpDes
	OpJmp
	OpCall
	OpAdiw
	OpSbiw
	OpCbi
	OpSbic
	OpSbi
	OpSbis
	OpMul
	OpIn
	OpOut
	OpRjmp
	OpRcall
	OpLdi
	OpBrcs
	OpBreq
	OpBrmi
	OpBrvs
	OpBrlt
	OpBrhs
	OpBrts
	OpBrie
	OpBrcc
	OpBrne
	OpBrpl
	OpBrvc
	OpBrge
	OpBrhc
	OpBrtc
	OpBrid
	OpBld
	OpBst
	OpSbrc
	OpSbrs
	numRows
)

// Pseudo operations: records of a Program that stand for something else than an instruction.
const (
	opBad     = numRows + iota // no instruction of this core
	opErased                   // erased flash (0xFFFF)
	opWrap                     // first word after the end of flash: the program counter wraps to 0
	opDynamic                  // decode from the mote's own flash, which may differ from the shared image
	opHook                     // call the watcher, then count if K says so, then execute the plain program's record
	opLog                      // as opHook, but write it down instead of calling the watcher, if there is room
	opCount                    // count under K-1, then execute the plain program's record
	opShadow                   // as opHook if D says so, then let the shadow follow, count and execute likewise
	opData                     // as opLog, for what the plain program's load or store moves: register pair D has its address, R to be added
)

var table = [numRows]row{
	OpNop:      {"nop", "0000000000000000", fNone, "", "", none, Next, 1, 0},
	OpMovw:     {"movw", "00000001ddddrrrr", fRdwRrw, "", "D=R", none, Next, 1, NeedMovw},
	OpMuls:     {"muls", "00000010ddddrrrr", fRd4Rr4, "", "01ZC=dr", none, Next, 2, NeedMul},
	OpMulsu:    {"mulsu", "000000110ddd0rrr", fRd3Rr3, "", "01ZC=dr", none, Next, 2, NeedMul},
	OpFmul:     {"fmul", "000000110ddd1rrr", fRd3Rr3, "", "01ZC=dr", none, Next, 2, NeedMul},
	OpFmuls:    {"fmuls", "000000111ddd0rrr", fRd3Rr3, "", "01ZC=dr", none, Next, 2, NeedMul},
	OpFmulsu:   {"fmulsu", "000000111ddd1rrr", fRd3Rr3, "", "01ZC=dr", none, Next, 2, NeedMul},
	OpCpc:      {"cpc", "000001rdddddrrrr", fRdRr, "", "HSVNZC=drZC", none, Next, 1, 0},
	OpSbc:      {"sbc", "000010rdddddrrrr", fRdRr, "", "dHSVNZC=drZC", none, Next, 1, 0},
	OpAdd:      {"add", "000011rdddddrrrr", fRdRr, "", "dHSVNZC=dr", none, Next, 1, 0},
	OpCpse:     {"cpse", "000100rdddddrrrr", fRdRr, "", "=dr", none, Skip, 1, 0},
	OpCp:       {"cp", "000101rdddddrrrr", fRdRr, "", "HSVNZC=dr", none, Next, 1, 0},
	OpSub:      {"sub", "000110rdddddrrrr", fRdRr, "", "dHSVNZC=dr", none, Next, 1, 0},
	OpAdc:      {"adc", "000111rdddddrrrr", fRdRr, "", "dHSVNZC=drC", none, Next, 1, 0},
	OpAnd:      {"and", "001000rdddddrrrr", fRdRr, "", "dSVNZ=dr", none, Next, 1, 0},
	OpEor:      {"eor", "001001rdddddrrrr", fRdRr, "", "dSVNZ=dr", none, Next, 1, 0},
	OpOr:       {"or", "001010rdddddrrrr", fRdRr, "", "dSVNZ=dr", none, Next, 1, 0},
	OpMov:      {"mov", "001011rdddddrrrr", fRdRr, "", "d=r", none, Next, 1, 0},
	OpCpi:      {"cpi", "0011KKKKddddKKKK", fRdK, "", "HSVNZC=d", none, Next, 1, 0},
	OpSbci:     {"sbci", "0100KKKKddddKKKK", fRdK, "", "dHSVNZC=dZC", none, Next, 1, 0},
	OpSubi:     {"subi", "0101KKKKddddKKKK", fRdK, "", "dHSVNZC=d", none, Next, 1, 0},
	OpOri:      {"ori", "0110KKKKddddKKKK", fRdK, "", "dSVNZ=d", none, Next, 1, 0},
	OpAndi:     {"andi", "0111KKKKddddKKKK", fRdK, "", "dSVNZ=d", none, Next, 1, 0},
	OpLddZ:     {"ldd", "10q0qq0ddddd0qqq", fLoadQ, "Z", "d=", loads, Next, 2, 0},
	OpLddY:     {"ldd", "10q0qq0ddddd1qqq", fLoadQ, "Y", "d=", loads, Next, 2, 0},
	OpStdZ:     {"std", "10q0qq1ddddd0qqq", fStoreQ, "Z", "=d", stores, Next, 2, 0},
	OpStdY:     {"std", "10q0qq1ddddd1qqq", fStoreQ, "Y", "=d", stores, Next, 2, 0},
	OpLds:      {"lds", "1001000ddddd0000", fRdAbs16, "", "d=", loads, Next, 2, 0},
	OpLdZInc:   {"ld", "1001000ddddd0001", fLoad, "Z+", "d=", loads, Next, 2, 0},
	OpLdZDec:   {"ld", "1001000ddddd0010", fLoad, "-Z", "d=", loads, Next, 2, 0},
	OpLpmZ:     {"lpm", "1001000ddddd0100", fLoad, "Z", "d=", fetches, Next, 3, NeedLpmx},
	OpLpmZInc:  {"lpm", "1001000ddddd0101", fLoad, "Z+", "d=", fetches, Next, 3, NeedLpmx},
	OpElpmZ:    {"elpm", "1001000ddddd0110", fLoad, "Z", "d=p", fetches, Next, 3, NeedElpm},
	OpElpmZInc: {"elpm", "1001000ddddd0111", fLoad, "Z+", "dp=p", fetches, Next, 3, NeedElpm},
	OpLdYInc:   {"ld", "1001000ddddd1001", fLoad, "Y+", "d=", loads, Next, 2, 0},
	OpLdYDec:   {"ld", "1001000ddddd1010", fLoad, "-Y", "d=", loads, Next, 2, 0},
	OpLdX:      {"ld", "1001000ddddd1100", fLoad, "X", "d=", loads, Next, 2, 0},
	OpLdXInc:   {"ld", "1001000ddddd1101", fLoad, "X+", "d=", loads, Next, 2, 0},
	OpLdXDec:   {"ld", "1001000ddddd1110", fLoad, "-X", "d=", loads, Next, 2, 0},
	OpPop:      {"pop", "1001000ddddd1111", fRd, "", "d=", pops, Next, 2, 0},
	OpSts:      {"sts", "1001001ddddd0000", fAbs16Rd, "", "=d", stores, Next, 2, 0},
	OpStZInc:   {"st", "1001001ddddd0001", fStore, "Z+", "=d", stores, Next, 2, 0},
	OpStZDec:   {"st", "1001001ddddd0010", fStore, "-Z", "=d", stores, Next, 2, 0},
	OpXch:      {"xch", "1001001ddddd0100", fStore, "Z", "", none, Next, 2, NeedXmega},
	OpLas:      {"las", "1001001ddddd0101", fStore, "Z", "", none, Next, 2, NeedXmega},
	OpLac:      {"lac", "1001001ddddd0110", fStore, "Z", "", none, Next, 2, NeedXmega},
	OpLat:      {"lat", "1001001ddddd0111", fStore, "Z", "", none, Next, 2, NeedXmega},
	OpStYInc:   {"st", "1001001ddddd1001", fStore, "Y+", "=d", stores, Next, 2, 0},
	OpStYDec:   {"st", "1001001ddddd1010", fStore, "-Y", "=d", stores, Next, 2, 0},
	OpStX:      {"st", "1001001ddddd1100", fStore, "X", "=d", stores, Next, 2, 0},
	OpStXInc:   {"st", "1001001ddddd1101", fStore, "X+", "=d", stores, Next, 2, 0},
	OpStXDec:   {"st", "1001001ddddd1110", fStore, "-X", "=d", stores, Next, 2, 0},
	OpPush:     {"push", "1001001ddddd1111", fRd, "", "=d", pushes, Next, 2, 0},
	OpCom:      {"com", "1001010ddddd0000", fRd, "", "dSVNZC=d", none, Next, 1, 0},
	OpNeg:      {"neg", "1001010ddddd0001", fRd, "", "dHSVNZC=d", none, Next, 1, 0},
	OpSwap:     {"swap", "1001010ddddd0010", fRd, "", "d=d", none, Next, 1, 0},
	OpInc:      {"inc", "1001010ddddd0011", fRd, "", "dSVNZ=d", none, Next, 1, 0},
	OpAsr:      {"asr", "1001010ddddd0101", fRd, "", "dSVNZC=d", none, Next, 1, 0},
	OpLsr:      {"lsr", "1001010ddddd0110", fRd, "", "dSVNZC=d", none, Next, 1, 0},
	OpRor:      {"ror", "1001010ddddd0111", fRd, "", "dSVNZC=dC", none, Next, 1, 0},
	OpDec:      {"dec", "1001010ddddd1010", fRd, "", "dSVNZ=d", none, Next, 1, 0},
	OpSec:      {"sec", "1001010000001000", fNone, "", "C=", none, Next, 1, 0},
	OpSez:      {"sez", "1001010000011000", fNone, "", "Z=", none, Next, 1, 0},
	OpSen:      {"sen", "1001010000101000", fNone, "", "N=", none, Next, 1, 0},
	OpSev:      {"sev", "1001010000111000", fNone, "", "V=", none, Next, 1, 0},
	OpSes:      {"ses", "1001010001001000", fNone, "", "S=", none, Next, 1, 0},
	OpSeh:      {"seh", "1001010001011000", fNone, "", "H=", none, Next, 1, 0},
	OpSet:      {"set", "1001010001101000", fNone, "", "T=", none, Next, 1, 0},
	OpSei:      {"sei", "1001010001111000", fNone, "", "I=", none, Next, 1, 0},
	OpClc:      {"clc", "1001010010001000", fNone, "", "C=", none, Next, 1, 0},
	OpClz:      {"clz", "1001010010011000", fNone, "", "Z=", none, Next, 1, 0},
	OpCln:      {"cln", "1001010010101000", fNone, "", "N=", none, Next, 1, 0},
	OpClv:      {"clv", "1001010010111000", fNone, "", "V=", none, Next, 1, 0},
	OpCls:      {"cls", "1001010011001000", fNone, "", "S=", none, Next, 1, 0},
	OpClh:      {"clh", "1001010011011000", fNone, "", "H=", none, Next, 1, 0},
	OpClt:      {"clt", "1001010011101000", fNone, "", "T=", none, Next, 1, 0},
	OpCli:      {"cli", "1001010011111000", fNone, "", "I=", none, Next, 1, 0},
	OpRet:      {"ret", "1001010100001000", fNone, "", "", popsPC, Return, 4, 0},
	OpReti:     {"reti", "1001010100011000", fNone, "", "I=", popsPC, Return, 4, 0},
	OpSleep:    {"sleep", "1001010110001000", fNone, "", "", asks, Next, 1, 0},
	OpBreak:    {"break", "1001010110011000", fNone, "", "", asks, Next, 1, NeedBreak},
	OpWdr:      {"wdr", "1001010110101000", fNone, "", "", asks, Next, 1, 0},
	OpLpm:      {"lpm", "1001010111001000", fNone, "Z", "d=", fetches, Next, 3, 0},
	OpElpm:     {"elpm", "1001010111011000", fNone, "Z", "d=p", fetches, Next, 3, NeedElpm},
	OpSpm:      {"spm", "1001010111101000", fNone, "Z", "=01p", programs, Next, 1, NeedSpm},
	OpSpmZInc:  {"spm", "1001010111111000", fPointer, "Z+", "", none, Next, 1, NeedXmega},
	OpIjmp:     {"ijmp", "1001010000001001", fNone, "Z", "", none, IndirectJump, 2, 0},
	OpEijmp:    {"eijmp", "1001010000011001", fNone, "Z", "=e", none, IndirectJump, 2, NeedEind},
	OpIcall:    {"icall", "1001010100001001", fNone, "Z", "", pushesPC, IndirectCall, 3, 0},
	OpEicall:   {"eicall", "1001010100011001", fNone, "Z", "=e", pushesPC, IndirectCall, 3, NeedEind},
	OpDes:      {"des", "10010100KKKK1011", fK4, "", "", none, Next, 1, NeedXmega},
	OpJmp:      {"jmp", "1001010kkkkk110k", fAbs22, "", "", none, Jump, 3, NeedJmp},
	OpCall:     {"call", "1001010kkkkk111k", fAbs22, "", "", pushesPC, Call, 4, NeedJmp},
	OpAdiw:     {"adiw", "10010110KKddKKKK", fRdwK, "", "DSVNZC=D", none, Next, 2, 0},
	OpSbiw:     {"sbiw", "10010111KKddKKKK", fRdwK, "", "DSVNZC=D", none, Next, 2, 0},
	OpCbi:      {"cbi", "10011000AAAAAbbb", fAb, "", "", alters, Next, 2, 0},
	OpSbic:     {"sbic", "10011001AAAAAbbb", fAb, "", "", loads, Skip, 1, 0},
	OpSbi:      {"sbi", "10011010AAAAAbbb", fAb, "", "", alters, Next, 2, 0},
	OpSbis:     {"sbis", "10011011AAAAAbbb", fAb, "", "", loads, Skip, 1, 0},
	OpMul:      {"mul", "100111rdddddrrrr", fRdRr, "", "01ZC=dr", none, Next, 2, NeedMul},
	OpIn:       {"in", "10110AAdddddAAAA", fRdA, "", "d=", loads, Next, 1, 0},
	OpOut:      {"out", "10111AAdddddAAAA", fARr, "", "=d", stores, Next, 1, 0},
	OpRjmp:     {"rjmp", "1100kkkkkkkkkkkk", fRel12, "", "", none, Jump, 2, 0},
	OpRcall:    {"rcall", "1101kkkkkkkkkkkk", fRel12, "", "", pushesPC, Call, 3, 0},
	OpLdi:      {"ldi", "1110KKKKddddKKKK", fRdK, "", "d=", none, Next, 1, 0},
	OpBrcs:     {"brcs", "111100kkkkkkk000", fRel7, "", "=C", none, Branch, 1, 0},
	OpBreq:     {"breq", "111100kkkkkkk001", fRel7, "", "=Z", none, Branch, 1, 0},
	OpBrmi:     {"brmi", "111100kkkkkkk010", fRel7, "", "=N", none, Branch, 1, 0},
	OpBrvs:     {"brvs", "111100kkkkkkk011", fRel7, "", "=V", none, Branch, 1, 0},
	OpBrlt:     {"brlt", "111100kkkkkkk100", fRel7, "", "=S", none, Branch, 1, 0},
	OpBrhs:     {"brhs", "111100kkkkkkk101", fRel7, "", "=H", none, Branch, 1, 0},
	OpBrts:     {"brts", "111100kkkkkkk110", fRel7, "", "=T", none, Branch, 1, 0},
	OpBrie:     {"brie", "111100kkkkkkk111", fRel7, "", "=I", none, Branch, 1, 0},
	OpBrcc:     {"brcc", "111101kkkkkkk000", fRel7, "", "=C", none, Branch, 1, 0},
	OpBrne:     {"brne", "111101kkkkkkk001", fRel7, "", "=Z", none, Branch, 1, 0},
	OpBrpl:     {"brpl", "111101kkkkkkk010", fRel7, "", "=N", none, Branch, 1, 0},
	OpBrvc:     {"brvc", "111101kkkkkkk011", fRel7, "", "=V", none, Branch, 1, 0},
	OpBrge:     {"brge", "111101kkkkkkk100", fRel7, "", "=S", none, Branch, 1, 0},
	OpBrhc:     {"brhc", "111101kkkkkkk101", fRel7, "", "=H", none, Branch, 1, 0},
	OpBrtc:     {"brtc", "111101kkkkkkk110", fRel7, "", "=T", none, Branch, 1, 0},
	OpBrid:     {"brid", "111101kkkkkkk111", fRel7, "", "=I", none, Branch, 1, 0},
	OpBld:      {"bld", "1111100ddddd0bbb", fRdb, "", "d=dT", none, Next, 1, 0},
	OpBst:      {"bst", "1111101ddddd0bbb", fRdb, "", "T=d", none, Next, 1, 0},
	OpSbrc:     {"sbrc", "1111110ddddd0bbb", fRdb, "", "=d", none, Skip, 1, 0},
	OpSbrs:     {"sbrs", "1111111ddddd0bbb", fRdb, "", "=d", none, Skip, 1, 0},
}
