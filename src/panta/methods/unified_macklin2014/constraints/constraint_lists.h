// Constraints on the host: for each type the particles it ties, by id, and its data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "panta/methods/unified_macklin2014/constraints/constraint_type.h"
#include "panta/scene/choose_particles.h"

namespace panta::unified {

template <ConstraintType T>
struct ConstraintList {
  std::vector<std::uint32_t> particles;  // T::size ids of each constraint in turn
  std::vector<typename T::Data> data;
  std::vector<Softness> softness;

  std::size_t size() const { return data.size(); }
  void add(const std::array<std::uint32_t, T::size>& ids, const typename T::Data& its_data,
           const Softness& its_softness = {}) {
    particles.insert(particles.end(), ids.begin(), ids.end());
    data.push_back(its_data);
    softness.push_back(its_softness);
  }
  void append(const ConstraintList& other) {
    particles.insert(particles.end(), other.particles.begin(), other.particles.end());
    data.insert(data.end(), other.data.begin(), other.data.end());
    softness.insert(softness.end(), other.softness.begin(), other.softness.end());
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

// What constraints are made from, by id. At the start of a run only `start` is filled.
struct ParticlePlaces {
  std::vector<Vec3> start = {};  // where particles started; those that joined the run: as `now`
  // During a run:
  std::vector<Vec3> now = {};
  std::vector<char> gone = {};  // 1: the particle is gone, and has no place
  double time = 0;              // s

  bool at_start() const { return now.empty(); }
};

// The data of one constraint; `ids`: its particles.
template <ConstraintType T>
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

// Adds what a scene's entry ties, if it is of this type. Nothing is made for particles that are
// gone.
template <ConstraintType T>
void add_from_scene(const Constraint& given, const ParticlePlaces& places,
                    ConstraintList<T>& list) {
  if (given.type != T::name) return;
  const auto params = make_parameters<typename T::Params>(given.parameters);
  const std::vector<std::uint32_t> ids = chosen_particles(given, T::size, places.start);
  for (std::size_t k = 0; k < ids.size(); k += T::size) {
    std::array<std::uint32_t, T::size> members;
    bool complete = true;
    for (std::size_t m = 0; m < members.size(); ++m) {
      members[m] = ids[k + m];
      complete = complete && (places.at_start() || !places.gone[members[m]]);
    }
    if (!complete) continue;
    list.add(members, make_data<T>(params, places, members), params.softness());
    if constexpr (requires { T::flaw(list.data.back()); })
      if (const char* flaw = T::flaw(list.data.back()))
        throw Error(ErrorKind::usage, particle_names(members.data(), T::size) + " " + flaw);
  }
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
