// The only folder that knows which compiler is at work is core/; methods use these names.
#pragma once

#ifdef __CUDACC__
#define PANTA_HD __host__ __device__ __forceinline__
#else
#define PANTA_HD inline __attribute__((always_inline))
#endif
