// Frames read out of a device, in the order of ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "panta/sim/simulation.h"

namespace panta {

// order[k] is the place of the k-th smallest id.
inline std::vector<std::uint32_t> order_by_id(const std::vector<std::uint32_t>& id) {
  std::vector<std::uint32_t> order(id.size());
  std::iota(order.begin(), order.end(), 0u);
  const bool dense = !id.empty() && *std::max_element(id.begin(), id.end()) + 1 == id.size();
  if (dense) {
    for (std::size_t i = 0; i < id.size(); ++i) order[id[i]] = static_cast<std::uint32_t>(i);
  } else {
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
  }
  return order;
}

template <class T>
std::vector<T> in_order(const std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> out(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) out[k] = values[order[k]];
  return out;
}

// A frame of particles with these ids and materials, of which the first ids.size() count.
inline ParticleFrame frame_of(double time, std::vector<std::uint32_t> ids,
                              std::vector<std::uint32_t> phases) {
  ParticleFrame frame;
  const std::size_t n = ids.size();
  frame.time = time;
  frame.id = std::move(ids);
  frame.phase = std::move(phases);
  frame.phase.resize(n);
  frame.position.resize(n);
  frame.velocity.resize(n);
  frame.density.resize(n);
  frame.pressure.resize(n);
  frame.normal.resize(n);
  return frame;
}

inline void sort_by_id(ParticleFrame& frame) {
  const std::vector<std::uint32_t> order = order_by_id(frame.id);
  const auto sort = [&](auto& values) { values = in_order(values, order); };
  sort(frame.id);
  sort(frame.phase);
  sort(frame.position);
  sort(frame.velocity);
  sort(frame.density);
  sort(frame.pressure);
  sort(frame.normal);
}

}  // namespace panta
