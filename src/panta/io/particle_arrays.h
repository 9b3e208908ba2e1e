// The arrays of a ParticleFrame, named once for all file formats: whole, or one particle's numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "panta/core/error.h"
#include "panta/frame/particle_frame.h"

namespace panta {

// Points come first.
template <class Frame, class Visitor>
void visit_arrays(Frame& frame, Visitor&& visit) {
  visit("Points", frame.position());
  visit("id", frame.id());
  visit("phase", frame.phase());
  visit("velocity", frame.velocity());
  visit("density", frame.density());
  visit("pressure", frame.pressure());
  visit("normal", frame.normal());
}

// Calls visit(name, number) for each number of particle i.
template <class Frame, class Visitor>
void visit_numbers(Frame& frame, std::size_t i, Visitor&& visit) {
  visit("id", frame.id()[i]);
  visit("phase", frame.phase()[i]);
  visit("x", frame.position()[i].x);
  visit("y", frame.position()[i].y);
  visit("z", frame.position()[i].z);
  visit("vx", frame.velocity()[i].x);
  visit("vy", frame.velocity()[i].y);
  visit("vz", frame.velocity()[i].z);
  visit("density", frame.density()[i]);
  visit("pressure", frame.pressure()[i]);
  visit("nx", frame.normal()[i].x);
  visit("ny", frame.normal()[i].y);
  visit("nz", frame.normal()[i].z);
}

inline void resize_arrays(ParticleFrame& frame, std::size_t n) {
  visit_arrays(frame, [&](std::string_view, auto& array) { array.resize(n); });
}

// Error(io) unless every array has a value for every particle.
inline void check_arrays(const std::string& path, const ParticleFrame& frame) {
  visit_arrays(frame, [&](std::string_view name, const auto& array) {
    if (array.size() != frame.size())
      throw Error(ErrorKind::io, "cannot write '{}': {} values of {} for {} particles", path,
                  array.size(), name, frame.size());
  });
}

}  // namespace panta
