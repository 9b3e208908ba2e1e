# Sources compiled once per device: by the C++ compiler for the CPU and by nvcc for CUDA. nvcc takes ten
# seconds for the headers alone, so it compiles the sources of one line as one.
set(PANTA_DEVICE_GROUPS
  "core/device.cpp neighbors/device_grid.cpp particles/particles.cpp sources/device_sources.cpp resample/resampler.cpp"
  "walls/walls.cpp bodies/free_bodies.cpp"
  "solver/particle_driver.cpp"
  "methods/sph_mueller2003/solver.cpp"
  "methods/unified_macklin2014/solver.cpp"
  "methods/viscoelastic_clavet2005/solver.cpp"
  "surface/device/device_surface.cpp"
)
string(REPLACE " " ";" PANTA_DEVICE_SOURCES "${PANTA_DEVICE_GROUPS}")
