// Splitting and merging of particles by a program, between steps.
#pragma once

#include "panta/solver/particle_driver.h"

namespace panta {

template <class D>
ResampledParticles ParticleDriver<D>::resampled_particles() {
  ParticleSet<D>& set = kit_.set;
  const auto words = [&](int handle) {
    return handle < 0 ? std::vector<std::uint32_t>{} : set.columns.download_words(handle);
  };
  return {.living = set.living(),
          .id = words(set.columns.id_handle()),
          .phase = words(set.columns.phase_handle()),
          .object = words(set.object),
          .held = words(set.held),
          .objects = objects_,
          .dimensions = setup().dimensions};
}

// Declares masses, allows empty slots, and opens the gate, so that kernels may change particles.
template <class D>
void ParticleDriver<D>::prepare_resampling() {
  declare_masses();
  kit_.set.some_gone = true;
  make_room(kit_.set.columns.size());
  kit_.now.closed = 0;
  kit_.state.set(kit_.now);
  kit_.fill_masses();
}

template <class D>
void ParticleDriver<D>::split(const std::vector<SplitRequest>& requests) {
  const SplitTable table = split_table(requests, resampled_particles());
  if (requests.empty()) return;
  const Buffer<D, std::uint32_t> children(table.children);
  const Buffer<D, Vec3> offset(table.offset);
  prepare_resampling();
  do {
    kit_.split(children.data(), offset.data());
    kit_.exec.synchronize();
    kit_.now = kit_.state.get();
  } while (enlarge_arrays());
  kit_.set.counted = kit_.set.population.get();
}

template <class D>
void ParticleDriver<D>::merge(const std::vector<MergeRequest>& requests) {
  const Buffer<D, std::uint32_t> partner(partner_table(requests, resampled_particles()));
  if (requests.empty()) return;
  prepare_resampling();
  kit_.merge(partner.data());
  kit_.exec.synchronize();
  kit_.set.counted = kit_.set.population.get();
}

}  // namespace panta
