// Compiler-dependent macros. Only the folder core/ tests for the compiler; other code uses these.
//
// PANTA_FOR_DEVICE(cpu, cuda) chooses between two headers: #include PANTA_FOR_DEVICE("a.h", "b.h").
#pragma once

#ifdef __CUDACC__
#define PANTA_HD __host__ __device__ __forceinline__
#define PANTA_FOR_DEVICE(cpu, cuda) cuda
#else
#define PANTA_HD inline __attribute__((always_inline))
#define PANTA_FOR_DEVICE(cpu, cuda) cpu
#endif
