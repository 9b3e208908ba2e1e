// A frame: particles and bodies of a simulation at one time, on the host.
//
// Particles are ordered by id. A frame is a table of columns; id, phase, position and velocity are
// always present and come first. Further columns depend on the method or file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "panta/core/vec.h"
#include "panta/frame/body_pose.h"
#include "panta/frame/object.h"
#include "panta/particles/column.h"

namespace panta {

using SymmetricMatrix = std::array<float, 6>;  // xx, yy, zz, xy, xz, yz

struct FrameColumn {
  ColumnInfo info;
  std::variant<std::vector<float>, std::vector<Vec3>, std::vector<SymmetricMatrix>,
               std::vector<std::uint32_t>>
      values;  // by ColumnType

  explicit FrameColumn(ColumnInfo declared);
  std::size_t size() const;
  void resize(std::size_t n);  // new entries: the value of a new particle
  // A component of one value as a number.
  double component(std::size_t i, int k) const;
  // The values as 32-bit numbers, the components of one value side by side.
  const std::byte* bytes() const;
  std::byte* bytes();
};

struct ParticleFrame {
  double time = 0;
  std::deque<FrameColumn> columns;  // adding one leaves references to the others valid
  std::vector<Object> objects;      // indexed by the column "object"
  std::vector<BodyPose> bodies;     // of the free bodies, in the order of Scene::bodies

  ParticleFrame();

  std::size_t size() const { return id().size(); }
  // Resizes every column.
  void resize(std::size_t n);

  std::vector<std::uint32_t>& id() & { return words(0); }
  std::vector<std::uint32_t>& phase() & { return words(1); }  // index into Scene::materials
  std::vector<Vec3>& position() & { return vectors(2); }      // m
  std::vector<Vec3>& velocity() & { return vectors(3); }      // m/s, at the frame's time
  const std::vector<std::uint32_t>& id() const& { return words(0); }
  const std::vector<std::uint32_t>& phase() const& { return words(1); }
  const std::vector<Vec3>& position() const& { return vectors(2); }
  const std::vector<Vec3>& velocity() const& { return vectors(3); }
  // For temporary frames, so that `for (x : sim.snapshot().position())` is safe.
  std::vector<std::uint32_t> id() && { return std::move(words(0)); }
  std::vector<std::uint32_t> phase() && { return std::move(words(1)); }
  std::vector<Vec3> position() && { return std::move(vectors(2)); }
  std::vector<Vec3> velocity() && { return std::move(vectors(3)); }

  // Null if there is no such column.
  FrameColumn* find(const std::string& name);
  const FrameColumn* find(const std::string& name) const;
  // Adds the column, with the frame's length, unless it exists.
  FrameColumn& require(const ColumnInfo& info);

  // The values of a column of that type. The first form adds a standard column that is missing
  // (particles/standard_columns.h); the second is empty if there is none.
  std::vector<float>& scalars(const std::string& name);
  std::vector<Vec3>& vectors(const std::string& name);
  std::vector<std::uint32_t>& words(const std::string& name);
  const std::vector<float>& scalars(const std::string& name) const;
  const std::vector<Vec3>& vectors(const std::string& name) const;
  const std::vector<std::uint32_t>& words(const std::string& name) const;

  std::vector<float>& density() & { return scalars("density"); }    // kg/m3
  std::vector<float>& pressure() & { return scalars("pressure"); }  // Pa
  std::vector<Vec3>& normal() & { return vectors("normal"); }  // outward at the surface, else zero
  const std::vector<float>& density() const& { return scalars("density"); }
  const std::vector<float>& pressure() const& { return scalars("pressure"); }
  const std::vector<Vec3>& normal() const& { return vectors("normal"); }
  std::vector<float> density() && { return std::move(scalars("density")); }
  std::vector<float> pressure() && { return std::move(scalars("pressure")); }
  std::vector<Vec3> normal() && { return std::move(vectors("normal")); }

  // Sorts the particles by id.
  void sort_by_id();

 private:
  std::vector<std::uint32_t>& words(int k) {
    return std::get<std::vector<std::uint32_t>>(columns[static_cast<std::size_t>(k)].values);
  }
  const std::vector<std::uint32_t>& words(int k) const {
    return std::get<std::vector<std::uint32_t>>(columns[static_cast<std::size_t>(k)].values);
  }
  std::vector<Vec3>& vectors(int k) {
    return std::get<std::vector<Vec3>>(columns[static_cast<std::size_t>(k)].values);
  }
  const std::vector<Vec3>& vectors(int k) const {
    return std::get<std::vector<Vec3>>(columns[static_cast<std::size_t>(k)].values);
  }
};

}  // namespace panta
