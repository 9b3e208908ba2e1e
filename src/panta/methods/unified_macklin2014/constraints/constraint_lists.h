// Constraints on the host: for each type the particles it ties, by id, and its data.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "panta/methods/unified_macklin2014/constraints/constraint_type.h"
#include "panta/scene/choose_particles.h"

namespace panta::unified {

template <ConstraintType T>
struct ConstraintListBase {
  std::vector<std::uint32_t> particles;  // ids, those of one constraint after the other
  std::vector<typename T::Data> data;
  std::vector<Softness> softness;

  std::size_t size() const { return data.size(); }
  void add(std::span<const std::uint32_t> ids, const typename T::Data& its_data,
           const Softness& its_softness) {
    particles.insert(particles.end(), ids.begin(), ids.end());
    data.push_back(its_data);
    softness.push_back(its_softness);
  }
  void append(const ConstraintListBase& other) {
    particles.insert(particles.end(), other.particles.begin(), other.particles.end());
    data.insert(data.end(), other.data.begin(), other.data.end());
    softness.insert(softness.end(), other.softness.begin(), other.softness.end());
  }
};

template <ConstraintType T>
struct ConstraintList;

template <SizedConstraint T>
struct ConstraintList<T> : ConstraintListBase<T> {
  using ConstraintListBase<T>::add;
  void add(const std::array<std::uint32_t, T::size>& ids, const typename T::Data& its_data,
           const Softness& its_softness = {}) {
    add(std::span<const std::uint32_t>(ids), its_data, its_softness);
  }

  // The number of particles of constraint k.
  std::size_t count(std::size_t) const { return T::size; }
  // Whether the sizes of the arrays match.
  bool consistent() const {
    return this->softness.size() == this->size() &&
           this->particles.size() == this->size() * T::size;
  }
};

template <SummedConstraint T>
struct ConstraintList<T> : ConstraintListBase<T> {
  std::vector<std::uint32_t> elements;  // how many each constraint has

  // T::element_size ids of each element in turn.
  void add(std::span<const std::uint32_t> ids, const typename T::Data& its_data,
           const Softness& its_softness = {}) {
    ConstraintListBase<T>::add(ids, its_data, its_softness);
    elements.push_back(static_cast<std::uint32_t>(ids.size() / T::element_size));
  }
  void append(const ConstraintList& other) {
    ConstraintListBase<T>::append(other);
    elements.insert(elements.end(), other.elements.begin(), other.elements.end());
  }

  std::size_t count(std::size_t k) const { return std::size_t{elements[k]} * T::element_size; }
  bool consistent() const {
    std::size_t sum = 0;
    for (const std::uint32_t each : elements) sum += each;
    return this->softness.size() == this->size() && elements.size() == this->size() &&
           this->particles.size() == sum * T::element_size &&
           std::find(elements.begin(), elements.end(), 0u) == elements.end();
  }
};

template <class Types>
struct ConstraintLists;

template <class... T>
struct ConstraintLists<ConstraintTypes<T...>> {
  std::tuple<ConstraintList<T>...> all;

  template <class Type>
  ConstraintList<Type>& of() {
    return std::get<ConstraintList<Type>>(all);
  }
  bool empty() const {
    return std::apply([](const auto&... list) { return (list.data.empty() && ...); }, all);
  }
  void append(const ConstraintLists& other) {
    (of<T>().append(std::get<ConstraintList<T>>(other.all)), ...);
  }
};

// Input for making constraints, by id. At the start of a run only `start` is filled.
struct ParticlePlaces {
  std::vector<Vec3> start = {};  // where particles started; those that joined the run: as `now`
  // During a run:
  std::vector<Vec3> now = {};
  std::vector<char> gone = {};  // 1: the particle was removed
  double time = 0;              // s

  bool at_start() const { return now.empty(); }
  bool any_gone(std::span<const std::uint32_t> ids) const {
    return !at_start() &&
           std::any_of(ids.begin(), ids.end(), [&](std::uint32_t id) { return gone[id] != 0; });
  }
};

// The data of one constraint; `ids`: its particles.
template <SizedConstraint T>
typename T::Data make_data(const typename T::Params& params, const ParticlePlaces& places,
                           const std::array<std::uint32_t, T::size>& ids) {
  Vec3 start[T::size], now[T::size];
  for (std::size_t m = 0; m < ids.size(); ++m) {
    start[m] = places.start[ids[m]];
    now[m] = places.at_start() ? start[m] : places.now[ids[m]];
  }
  if constexpr (requires { T::make_now(params, now, places.time); })
    return T::make_now(params, now, places.time);
  else
    return T::make(params, start);
}

// The sum over elements at the places `x`, by id; `ids`: the particles of each element in turn.
template <SummedConstraint T>
double sum_of_elements(const std::vector<std::uint32_t>& ids, const std::vector<Vec3>& x) {
  double sum = 0;
  for (std::size_t k = 0; k < ids.size(); k += T::element_size) {
    Vec3 corner[T::element_size], unused[T::element_size];
    for (std::size_t m = 0; m < T::element_size; ++m) corner[m] = x[ids[k + m]] - x[ids[0]];
    sum += T::element(corner, unused);
  }
  return sum;
}

// The error in these data, or null.
template <ConstraintType T>
const char* flaw_of(const typename T::Data& data) {
  if constexpr (requires { T::flaw(data); }) return T::flaw(data);
  return nullptr;
}

// Adds the constraints of a scene's entry, if it is of this type; skips those of removed particles.
template <SizedConstraint T>
void add_from_scene(const Constraint& given, const ParticlePlaces& places,
                    ConstraintList<T>& list) {
  if (given.type != T::name) return;
  const auto params = make_parameters<typename T::Params>(given.parameters);
  const std::vector<std::uint32_t> ids = chosen_particles(given, T::size, places.start);
  for (std::size_t k = 0; k < ids.size(); k += T::size) {
    std::array<std::uint32_t, T::size> members;
    std::copy_n(ids.begin() + static_cast<std::ptrdiff_t>(k), T::size, members.begin());
    if (places.any_gone(members)) continue;
    list.add(members, make_data<T>(params, places, members), params.softness());
    if (const char* flaw = flaw_of<T>(list.data.back()))
      throw Error(ErrorKind::usage, particle_names(members.data(), T::size) + " " + flaw);
  }
}

// The elements of an entry are one constraint.
template <SummedConstraint T>
void add_from_scene(const Constraint& given, const ParticlePlaces& places,
                    ConstraintList<T>& list) {
  if (given.type != T::name) return;
  const auto params = make_parameters<typename T::Params>(given.parameters);
  const std::vector<std::uint32_t> ids =
      chosen_elements(given, T::element_size, T::element_name, places.start.size());
  if (places.any_gone(ids)) return;
  if constexpr (requires { T::element_flaw(ids, places.start); }) {
    const std::string flaw = T::element_flaw(ids, places.start);
    if (!flaw.empty()) throw Error(ErrorKind::usage, flaw);
  }
  const auto data = T::make(params, sum_of_elements<T>(ids, places.start));
  if (const char* flaw = flaw_of<T>(data)) throw Error(ErrorKind::usage, std::string(flaw));
  list.add(ids, data, params.softness());
}

// The constraints of entry `number` of a scene. Throws Error(usage) for types, parameters and
// particles that do not exist or do not fit.
template <class... T>
ConstraintLists<ConstraintTypes<T...>> make_constraint_lists(const Constraint& given,
                                                             std::size_t number,
                                                             const ParticlePlaces& places,
                                                             ConstraintTypes<T...>) {
  ConstraintLists<ConstraintTypes<T...>> lists;
  try {
    check_choice("type", {T::name...}, given.type);
    (add_from_scene(given, places, lists.template of<T>()), ...);
  } catch (const Error& error) {
    throw error.with_context("constraints." + std::to_string(number));
  }
  return lists;
}

}  // namespace panta::unified
