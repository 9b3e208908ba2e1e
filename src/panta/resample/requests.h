// Requests of a program to split or merge particles, by their ids, and their checks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "panta/core/vec.h"
#include "panta/frame/object.h"

namespace panta {

// A particle becomes `children` equal ones on the line from -offset to offset around its position,
// at equal distances. The first keeps the id.
struct SplitRequest {
  std::uint32_t id = 0;
  Vec3 offset;  // m
  std::uint32_t children = 2;
};

// Two particles, by id, become one, which keeps the id of the heavier particle; if equal, the
// smaller id.
using MergeRequest = std::array<std::uint32_t, 2>;

// Data of the particles, by slot.
struct ResampledParticles {
  std::vector<std::size_t> living;  // slots
  std::vector<std::uint32_t> id, phase;
  std::vector<std::uint32_t> object;  // empty: all belong to the first
  std::vector<std::uint32_t> held;    // by an emitter if not 0; empty: no particle is held
  const std::vector<Object>& objects;
  int dimensions = 3;
};

// Requests by slot, as Resampler takes them. Both throw Error(usage) for an id that is unknown or
// named twice, a particle of a solid or held by an emitter, and for invalid children or pairs.
struct SplitTable {
  std::vector<std::uint32_t> children;
  std::vector<Vec3> offset;
};
SplitTable split_table(const std::vector<SplitRequest>& requests,
                       const ResampledParticles& particles);
std::vector<std::uint32_t> partner_table(const std::vector<MergeRequest>& requests,
                                         const ResampledParticles& particles);

}  // namespace panta
