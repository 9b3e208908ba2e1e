// A view of a column in the memory of the simulation: pointers into host memory on the CPU, into
// device memory with CUDA. Particles are in the simulation's order, not in the order of ids.
//
// A view is valid until the simulation advances, is read out or changed. After that it is stale,
// and its functions throw.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "panta/core/error.h"
#include "panta/core/exec.h"
#include "panta/particles/column.h"

namespace panta {

// The set of the particles of the scene's fluids, emitters and solids.
inline constexpr const char* scene_particles = "particles";

class ColumnView {
 public:
  ColumnInfo info;
  DeviceKind device = DeviceKind::cpu;
  std::size_t count = 0;   // particles
  std::size_t stride = 1;  // numbers between two particles

  bool stale() const { return !version_ || *version_ != made_at_; }

  // Component k of particle i is at component(k)[i * stride].
  float* component(int k) const {
    check();
    return static_cast<float*>(data_[k]);
  }
  // The values of a column of words.
  std::uint32_t* words() const {
    check();
    return static_cast<std::uint32_t*>(data_[0]);
  }

  // For the simulation, which creates the view.
  void set(int k, void* data) { data_[k] = data; }
  void follow(std::shared_ptr<const std::uint64_t> version) {
    version_ = std::move(version);
    made_at_ = *version_;
  }

 private:
  void check() const {
    if (stale())
      throw Error(ErrorKind::usage, "the view of column '" + info.name +
                                        "' is stale: the simulation has changed since it was made");
  }

  void* data_[6] = {};
  std::shared_ptr<const std::uint64_t> version_;  // current version of the simulation's arrays
  std::uint64_t made_at_ = 0;
};

}  // namespace panta
