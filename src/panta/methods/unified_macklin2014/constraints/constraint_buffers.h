// Device memory of the constraints of one type, of either kind.
#pragma once

#include "panta/methods/unified_macklin2014/constraints/constraint_lists.h"
#include "panta/methods/unified_macklin2014/constraints/tied_particles.h"

namespace panta::unified {

template <class D, ConstraintType T>
class ConstraintBuffers {
 public:
  std::size_t size() const { return data_.size(); }

  // Looks up the particles after a sort.
  void locate(const D& exec, const Index* slot_of, const InverseMasses& masses) {
    tied_.locate(exec, slot_of, masses);
  }

  // The lambda of each constraint; the force along its gradient is lambda / dt^2.
  std::vector<float> multipliers() const { return multipliers_.download(); }

  // Device memory in use.
  double bytes() const {
    constexpr std::size_t each = sizeof(typename T::Data) + sizeof(Softness) + sizeof(float);
    return static_cast<double>(size() * each + members_.size() * sizeof(std::uint32_t)) +
           tied_.bytes();
  }

 protected:
  // `members`: the ids of the members of all constraints.
  void set(const ConstraintList<T>& list, const std::vector<std::uint32_t>& members) {
    data_.upload(list.data);
    softness_.upload(list.softness);
    multipliers_.upload(std::vector<float>(list.size()));
    members_.upload(tied_.set(members));
  }

  Buffer<D, typename T::Data> data_;
  Buffer<D, Softness> softness_;
  Buffer<D, float> multipliers_;
  Buffer<D, std::uint32_t> members_;  // which tied particle each is
  TiedParticles<D> tied_;
};

}  // namespace panta::unified
