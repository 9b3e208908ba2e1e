// Particles: attributes in struct-of-arrays form, declared by name and type. Position, velocity, id
// and phase are always there. Adding, removing and reordering carry every attribute; ids are never
// reused.
//
// Every attribute has two copies of its storage: reorder() gathers from the current one into the
// other and the two change places.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "panta/core/field.h"
#include "panta/core/launch.h"
#include "panta/core/scan.h"

namespace panta {

enum class AttributeType { vector, scalar, word };  // Field4, float, uint32

template <class D>
class Particles {
 public:
  static constexpr int max_vectors = 8, max_words = 16;

  Particles() {
    position_ = declare("position", AttributeType::vector);
    velocity_ = declare("velocity", AttributeType::vector);
    id_ = declare("id", AttributeType::word);
    phase_ = declare("phase", AttributeType::word);
  }

  // Returns the attribute's handle; declaring a name again with the same type returns the same one.
  int declare(const std::string& name, AttributeType type);
  int find(const std::string& name) const;  // -1 if there is none

  Index size() const { return size_; }
  Field4View<D> position() { return vector(position_); }
  Field4View<D> velocity() { return vector(velocity_); }
  std::uint32_t* id() { return words(id_); }
  std::uint32_t* phase() { return words(phase_); }

  Field4View<D> vector(int handle) { return vectors_[slot(handle)].copy[current_].view(); }
  float* scalars(int handle) { return reinterpret_cast<float*>(words(handle)); }
  std::uint32_t* words(int handle) { return words_[slot(handle)].copy[current_].data(); }

  // Appends particles with fresh ids; attributes other than these start at zero.
  void add(const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities,
           const std::vector<std::uint32_t>& phases);

  // Removes the particles whose flag is 0; the others keep their order.
  void remove(const D& exec, const std::uint32_t* keep);

  // Particle k becomes the former particle order[k], for k in [0, count); those beyond are not
  // carried along.
  void reorder(const D& exec, const std::uint32_t* order) { gather(exec, order, size_); }
  void reorder(const D& exec, const std::uint32_t* order, Index count) {
    gather(exec, order, count);
  }

  // The first `n` stay; more than there are become slots marked as gone (position w = gone_mark of
  // sources/population.h), without ids.
  void set_slots(Index n, float gone_mark);

  // The id of the next particle added.
  std::uint32_t next_id() const { return next_id_; }
  void set_next_id(std::uint32_t id) { next_id_ = id; }

  // Reorder's effect on the host alone, for a replayed recording.
  void swap_copies() { current_ = 1 - current_; }
  int current_copy() const { return current_; }

  std::vector<Vec4> download_vectors(int handle) {
    return vectors_[slot(handle)].copy[current_].download();
  }
  std::vector<std::uint32_t> download_words(int handle) {
    return words_[slot(handle)].copy[current_].download(static_cast<std::size_t>(size_));
  }
  void upload_vectors(int handle, const std::vector<Vec4>& values) {
    vectors_[slot(handle)].copy[current_].upload(0, values);
  }
  void upload_words(int handle, const std::vector<std::uint32_t>& values) {
    if (!values.empty())
      Memory<D>::upload(words(handle), values.data(), values.size() * sizeof(std::uint32_t));
  }
  int id_handle() const { return id_; }
  int phase_handle() const { return phase_; }
  int position_handle() const { return position_; }
  int velocity_handle() const { return velocity_; }

 private:
  struct VectorAttribute {
    Field4<D> copy[2];
  };
  struct WordAttribute {
    Buffer<D, std::uint32_t> copy[2];
  };
  struct Declaration {
    std::string name;
    AttributeType type;
    std::size_t slot;
  };

  std::size_t slot(int handle) const {
    return declarations_[static_cast<std::size_t>(handle)].slot;
  }
  void resize(Index n);
  void gather(const D& exec, const std::uint32_t* order, Index count);

  std::vector<Declaration> declarations_;
  std::deque<VectorAttribute> vectors_;
  std::deque<WordAttribute> words_;
  Buffer<D, std::uint32_t> kept_, places_;
  ScanScratch<D> scan_;
  int position_ = 0, velocity_ = 0, id_ = 0, phase_ = 0;
  int current_ = 0;
  Index size_ = 0;
  std::uint32_t next_id_ = 0;
};

}  // namespace panta

#include "panta/particles/particles_impl.h"
