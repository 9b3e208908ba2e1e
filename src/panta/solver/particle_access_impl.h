// Columns that programs read and write in place, and forces on particles and bodies.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "panta/core/make_exec.h"
#include "panta/particles/standard_columns.h"
#include "panta/solver/particle_driver.h"

namespace panta {

namespace detail {

// `computed`: columns that only frames have.
[[noreturn]] inline void unknown_column(const std::string& name,
                                        const std::vector<ColumnInfo>& known,
                                        const std::vector<ColumnInfo>& computed) {
  for (const ColumnInfo& info : computed)
    if (info.name == name)
      throw Error(ErrorKind::usage,
                  "the column '" + name + "' is computed for frames only: use snapshot()");
  std::string names;
  for (const ColumnInfo& info : known) names += (names.empty() ? "'" : ", '") + info.name + "'";
  throw Error(ErrorKind::usage, "there is no column '" + name + "': there are " + names);
}

[[noreturn]] inline void wrong_values(const ColumnInfo& info, const char* what, std::size_t numbers,
                                      std::size_t particles, std::size_t given) {
  throw Error(ErrorKind::usage, "the column '" + info.name + "' takes " + std::to_string(numbers) +
                                    " " + what + " for each of " + std::to_string(particles) +
                                    " particles, got " + std::to_string(given));
}

// A particle may become another liquid or another grain.
inline void check_material(const Scene& scene, std::uint32_t from, std::uint32_t to) {
  if (to >= scene.materials.size())
    throw Error(ErrorKind::usage, "there is no material " + std::to_string(to) +
                                      ": the scene has " + std::to_string(scene.materials.size()));
  const Material &before = scene.materials[from], &after = scene.materials[to];
  if (from != to && (before.kind != after.kind || before.kind == MaterialKind::solid))
    throw Error(ErrorKind::usage, "a particle of '" + before.name + "' cannot become '" +
                                      after.name + "': both must be liquids, or both grains");
}

inline void check_masses(const std::vector<float>& masses) {
  for (std::size_t k = 0; k < masses.size(); ++k)
    if (!(masses[k] > 0 && std::isfinite(masses[k])))
      throw Error(ErrorKind::usage, "masses must be finite and greater than 0, value " +
                                        std::to_string(k) + " is " + std::to_string(masses[k]));
}

// order[k]: the slot of the particle with the k-th smallest id.
inline std::vector<std::size_t> slots_by_id(const std::vector<std::uint32_t>& id,
                                            std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  return order;
}

}  // namespace detail

template <class D>
std::vector<ColumnInfo> ParticleDriver<D>::columns(const std::string& set) {
  const Particles<D>& store = find_set(set).columns;
  std::vector<ColumnInfo> infos;
  for (int handle = 0; handle < store.count(); ++handle) infos.push_back(store.info(handle));
  return infos;
}

template <class D>
int ParticleDriver<D>::find_column(ParticleSet<D>& set, const std::string& name) {
  const int handle = set.columns.find(name);
  if (handle < 0)
    detail::unknown_column(name, columns(set.name),
                           &set == &kit_.set ? kit_.computed : std::vector<ColumnInfo>{});
  return handle;
}

template <class D>
ColumnView ParticleDriver<D>::view(const std::string& name, const std::string& of_set) {
  ParticleSet<D>& set = find_set(of_set);
  drop_gone(set);
  Particles<D>& store = set.columns;
  const int handle = find_column(set, name);
  ColumnView view;
  view.info = store.info(handle);
  view.device = D::kind;
  view.count = set.counted.living();
  const bool packed = !view.info.packed_in.empty();
  if (view.info.type == ColumnType::vector || packed) {
    const Field4View<D> field = store.vector(handle);
    view.stride = Field4View<D>::stride;
    for (int k = 0; k < component_count(view.info.type); ++k)
      view.set(k, const_cast<float*>(field.component(packed ? 3 : k)));
  } else if (view.info.type == ColumnType::symmetric) {
    for (int k = 0; k < 6; ++k) view.set(k, store.symmetric(handle).component[k]);
  } else {
    view.set(0, store.words(handle));
  }
  view.follow(version_);
  return view;
}

template <class D>
void ParticleDriver<D>::write(const std::string& name, const std::vector<float>& values,
                              const std::string& of_set) {
  ParticleSet<D>& set = find_set(of_set);
  drop_gone(set);
  Particles<D>& store = set.columns;
  const bool masses = &set == &kit_.set && name == standard_columns::mass().name;
  const ColumnInfo info = masses ? standard_columns::mass() : store.info(find_column(set, name));
  const auto numbers = static_cast<std::size_t>(component_count(info.type));
  const std::size_t count = set.counted.living();
  if (info.type == ColumnType::word)
    throw Error(ErrorKind::usage,
                "the column '" + name + "' contains whole numbers: use write_words()");
  if (values.size() != numbers * count)
    detail::wrong_values(info, "floats", numbers, count, values.size());
  const auto order = detail::slots_by_id(store.download_words(store.id_handle()), count);
  if (masses) {
    detail::check_masses(values);
    check_solid_masses(values, order);
    declare_masses();
  }
  const int handle = store.find(name);
  if (info.type == ColumnType::vector) {
    auto fields = store.download_vectors(handle);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Vec4 before = fields[order[k]];
      fields[order[k]] = {values[3 * k], values[3 * k + 1], values[3 * k + 2], before.w};
    }
    store.upload_vectors(handle, fields);
  } else {
    for (std::size_t c = 0; c < numbers; ++c) {
      auto scalars = store.download_scalars(handle, static_cast<int>(c));
      for (std::size_t k = 0; k < order.size(); ++k) scalars[order[k]] = values[numbers * k + c];
      store.upload_scalars(handle, scalars, static_cast<int>(c));
    }
  }
  values_written();
}

template <class D>
void ParticleDriver<D>::write_words(const std::string& name,
                                    const std::vector<std::uint32_t>& values,
                                    const std::string& of_set) {
  ParticleSet<D>& set = find_set(of_set);
  drop_gone(set);
  Particles<D>& store = set.columns;
  const int handle = find_column(set, name);
  const ColumnInfo& info = store.info(handle);
  if (info.type != ColumnType::word)
    throw Error(ErrorKind::usage, "the column '" + name + "' contains floats: use write()");
  for (const ColumnInfo& own :
       {standard_columns::id(), standard_columns::object(), standard_columns::held()})
    if (name == own.name)
      throw Error(ErrorKind::usage, "the column '" + name + "' can be read only");
  const std::size_t count = set.counted.living();
  if (values.size() != count) detail::wrong_values(info, "whole numbers", 1, count, values.size());
  const auto order = detail::slots_by_id(store.download_words(store.id_handle()), count);
  auto words = store.download_words(handle);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (handle == store.phase_handle())
      detail::check_material(kit_.scene, words[order[k]], values[k]);
    words[order[k]] = values[k];
  }
  store.upload_words(handle, words);
}

// A solid has the mass and inertia of its material, so its particles keep their masses. order[k]:
// slot of the particle with the value values[k].
template <class D>
void ParticleDriver<D>::check_solid_masses(const std::vector<float>& values,
                                           const std::vector<std::size_t>& order) {
  constexpr double rounding = 1e-6;
  Particles<D>& store = kit_.set.columns;
  const auto objects = kit_.set.object < 0 ? std::vector<std::uint32_t>(values.size())
                                           : store.download_words(kit_.set.object);
  const auto phase = store.download_words(store.phase_handle());
  const auto id = store.download_words(store.id_handle());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Object& object = objects_[objects[order[k]]];
    const double mass = particle_mass(phase[order[k]]);
    if (object.kind != ObjectKind::solid || std::abs(values[k] - mass) <= rounding * mass) continue;
    throw Error(ErrorKind::usage, "particle " + std::to_string(id[order[k]]) +
                                      " is part of the solid '" + object.name +
                                      "' and has the mass of its material");
  }
}

// Adds the column of masses; a method may need further arrays for it.
template <class D>
void ParticleDriver<D>::declare_masses() {
  if (kit_.mass >= 0) return;
  kit_.mass = kit_.set.columns.declare(standard_columns::mass());
  make_room(kit_.set.columns.size());
}

// Updates the largest speed, which determines the length of the next step.
template <class D>
void ParticleDriver<D>::values_written() {
  Particles<D>& store = kit_.set.columns;
  const auto velocity = store.download_vectors(store.velocity_handle());
  float fastest = kit_.sources.fastest();
  for (std::size_t i = 0; i < size(); ++i) fastest = std::max(fastest, length(velocity[i].xyz()));
  kit_.now.fastest = ordered_bits(fastest);
  kit_.state.set(kit_.now);
}

template <class D>
void ParticleDriver<D>::set_forces(const std::vector<Vec3>& forces) {
  if (kit_.force < 0) {
    kit_.force = kit_.set.columns.declare(standard_columns::force());
    forget_recording();
    arrays_changed();
  }
  std::vector<float> values;
  values.reserve(3 * forces.size());
  for (const Vec3& f : forces) values.insert(values.end(), {f.x, f.y, f.z});
  write(standard_columns::force().name, values, kit_.set.name);
}

template <class D>
void ParticleDriver<D>::check_body(std::size_t body) const {
  if (body >= kit_.bodies.size())
    throw Error(ErrorKind::usage, "there is no free body " + std::to_string(body) +
                                      ": the scene has " + std::to_string(kit_.bodies.size()));
}

template <class D>
void ParticleDriver<D>::set_body_pose(std::size_t body, const BodyPose& pose) {
  check_body(body);
  kit_.bodies.set_pose(body, pose);
}

template <class D>
void ParticleDriver<D>::set_body_force(std::size_t body, const Vec3d& force, const Vec3d& torque) {
  check_body(body);
  kit_.bodies.set_force(body, force, torque);
}

}  // namespace panta
