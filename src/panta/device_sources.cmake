# Sources compiled once per device: by the C++ compiler for the CPU and by nvcc for CUDA.
set(PANTA_DEVICE_SOURCES
  core/device.cpp
  methods/sph_mueller2003/solver.cpp
  methods/unified_macklin2014/readout.cpp
  methods/unified_macklin2014/solver.cpp
  methods/viscoelastic_clavet2005/readout.cpp
  methods/viscoelastic_clavet2005/solver.cpp
  solver/particle_access.cpp
  solver/particle_driver.cpp
  solver/particle_readout.cpp
  solver/particle_sets.cpp
  surface/device/device_surface.cpp
)
