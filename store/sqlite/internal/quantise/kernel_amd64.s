#include "textflag.h"

// func dotsAVX2(out *int32, q *int16, rows *int8, stride, n int)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ q+8(FP), DX
	MOVQ rows+16(FP), SI
	MOVQ stride+24(FP), CX
	MOVQ n+32(FP), R8

row:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	XORQ  AX, AX

component:
	VPMOVSXBW (SI)(AX*1), Y2
	VPMOVSXBW 16(SI)(AX*1), Y3
	VPMADDWD  (DX)(AX*2), Y2, Y2
	VPMADDWD  32(DX)(AX*2), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ      $32, AX
	CMPQ      AX, CX
	JLT       component

	// The sum of the sixteen partial sums.
	VPADDD       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (DI)

	ADDQ CX, SI
	ADDQ $4, DI
	DECQ R8
	JNZ  row
	VZEROUPPER
	RET

// func roundAVX2(row *int8, v *float32, n int, inverse, scale float32) float32
TEXT ·roundAVX2(SB), NOSPLIT, $0-36
	MOVQ         row+0(FP), DI
	MOVQ         v+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS inverse+24(FP), Y14
	VBROADCASTSS scale+28(FP), Y15
	VXORPS       Y0, Y0, Y0

eight:
	VMOVUPS      (SI), Y2
	VMULPS       Y14, Y2, Y3
	VCVTPS2DQ    Y3, Y4
	VCVTDQ2PS    Y4, Y5
	VFNMADD231PS Y15, Y5, Y2
	VFMADD231PS  Y2, Y2, Y0

	// Eight int32 become eight int8, in their order.
	VEXTRACTI128 $1, Y4, X6
	VPACKSSDW    X6, X4, X4
	VPACKSSWB    X4, X4, X4
	VMOVQ        X4, (DI)
	ADDQ         $32, SI
	ADDQ         $8, DI
	SUBQ         $8, CX
	JNZ          eight

	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VHADDPS      X0, X0, X0
	VHADDPS      X0, X0, X0
	VMOVSS       X0, ret+32(FP)
	VZEROUPPER
	RET
