// The only folder that knows which compiler is at work is core/; other code uses these names.
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
