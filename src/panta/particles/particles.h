// Particles on a device: columns in struct-of-arrays form, declared once (particles/column.h).
// Position, velocity, id and phase always exist. Adding, removing, sorting, saving and restoring
// treat all columns alike; ids are never reused.
//
// A vector column is a Field4, whose free fourth component may contain a scalar column. A column
// that is sorted in every step has two copies of its storage: reorder() gathers from the current
// one into the other, and swaps the two.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "panta/core/field.h"
#include "panta/core/launch.h"
#include "panta/core/removed_mark.h"
#include "panta/core/scan.h"
#include "panta/core/state.h"
#include "panta/particles/column.h"
#include "panta/particles/merge_rules.h"
#include "panta/particles/new_particles.h"

namespace panta {

// A symmetric 3 x 3 matrix per particle: xx, yy, zz, xy, xz, yz.
struct SymmetricView {
  float* component[6] = {};
};

template <class D>
class Particles {
 public:
  Particles();

  // Returns the column's handle. Declaring a name again with the same type returns the same one.
  int declare(const ColumnInfo& info);
  int find(const std::string& name) const;  // -1 if there is none
  int count() const { return static_cast<int>(columns_.size()); }
  const ColumnInfo& info(int handle) const { return column(handle).info; }

  Index size() const { return size_; }
  Field4View<D> position() { return vector(position_); }
  Field4View<D> velocity() { return vector(velocity_); }
  std::uint32_t* id() { return words(id_); }
  std::uint32_t* phase() { return words(phase_); }

  // Storage of a column. vector() of a packed scalar is the field that it is packed in.
  Field4View<D> vector(int handle) { return field(handle).view(); }
  float* scalars(int handle) { return reinterpret_cast<float*>(words(handle)); }
  std::uint32_t* words(int handle) { return word_buffer(handle, 0).data(); }
  SymmetricView symmetric(int handle);

  // Writes the values of new particles on the device.
  NewParticles<D> new_particles();

  // For kernels that merge and split particles.
  MergeRules<D> merge_rules();

  // Appends particles with new ids; other columns get the values of new particles.
  void add(const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities,
           const std::vector<std::uint32_t>& phases);

  // Removes the particles whose flag is 0; the others keep their order.
  void remove(const D& exec, const std::uint32_t* keep);

  // Particle k becomes the former particle order[k], for k in [0, count); particles beyond are
  // lost. The first form is for a step, and leaves out columns that the step computes later.
  void reorder_in_step(const D& exec, const std::uint32_t* order, Index count);
  void reorder(const D& exec, const std::uint32_t* order, Index count);
  void reorder(const D& exec, const std::uint32_t* order) { reorder(exec, order, size_); }

  // Keeps the first `n`; further slots contain no particle.
  void set_slots(Index n);

  // The id of the next particle added.
  std::uint32_t next_id() const { return next_id_; }
  void set_next_id(std::uint32_t id) { next_id_ = id; }

  // The effect of reorder_in_step on the host, needed after a step is replayed.
  void swap_copies() { current_ = 1 - current_; }
  int current_copy() const { return current_; }

  // Values on the host, by slot. Vectors: with the fourth component of their storage.
  std::vector<Vec4> download_vectors(int handle) { return field(handle).download(); }
  std::vector<std::uint32_t> download_words(int handle, int component = 0);
  std::vector<float> download_scalars(int handle, int component = 0);
  void upload_vectors(int handle, const std::vector<Vec4>& values) {
    field(handle).upload(0, values);
  }
  void upload_words(int handle, const std::vector<std::uint32_t>& values, int component = 0);
  void upload_scalars(int handle, const std::vector<float>& values, int component = 0);

  // All saved columns of the particles `kept`, as arrays whose names begin with `prefix`; restore()
  // expects them in the same order and sets the number of slots. Throws Error(io) where columns are
  // missing, unless they are named in `may_lack`, or differ in length.
  void save(State& state, const std::vector<std::size_t>& kept, const std::string& prefix = {});
  void restore(const State& state, const std::string& prefix = {},
               const std::vector<std::string>& may_lack = {});

  // All columns, including removed particles, in device memory. Columns declared after the copy get
  // the values of new particles.
  struct Copy {
    std::deque<Field4<D>> fields;
    std::deque<Buffer<D, std::uint32_t>> words;
    int columns = 0;
    Index slots = 0;
    std::uint32_t next_id = 0;
  };
  Copy copy();
  void take(const Copy& copy);

  int id_handle() const { return id_; }
  int phase_handle() const { return phase_; }
  int position_handle() const { return position_; }
  int velocity_handle() const { return velocity_; }

 private:
  struct Column {
    ColumnInfo info;
    int packed_in = -1;       // handle of the vector column
    std::size_t storage = 0;  // index of the first of its fields or words
  };
  // Storage of columns: two copies if sorted in steps, else one.
  struct FieldStorage {
    Field4<D> copy[2];
    bool sorted = true;
  };
  struct WordStorage {
    Buffer<D, std::uint32_t> copy[2];
    bool sorted = true;
    std::uint32_t initial = 0;
  };

  const Column& column(int handle) const { return columns_[static_cast<std::size_t>(handle)]; }
  Field4<D>& field(int handle) {
    const Column& c = column(handle);
    return current(fields_[c.packed_in >= 0 ? column(c.packed_in).storage : c.storage]);
  }
  Buffer<D, std::uint32_t>& word_buffer(int handle, int component) {
    return current(words_[column(handle).storage + static_cast<std::size_t>(component)]);
  }
  template <class Storage>
  auto& current(Storage& s) {
    return s.copy[s.sorted ? current_ : 0];
  }
  Vec4 initial_vector(std::size_t storage) const;
  void resize(Index n);
  void fill_new(Index first, Index count);
  void fill_column(int handle);
  void gather_unsorted(const D& exec, const std::uint32_t* order, Index count);
  template <class T>
  std::vector<T> saved(const State& state, const std::string& name, std::size_t& count) const;

  std::vector<Column> columns_;
  std::deque<FieldStorage> fields_;
  std::deque<WordStorage> words_;
  Buffer<D, std::uint32_t> kept_, places_;
  ScanScratch<D> scan_;
  int position_ = 0, velocity_ = 0, id_ = 0, phase_ = 0;
  int current_ = 0;
  Index size_ = 0;
  std::uint32_t next_id_ = 0;
};

}  // namespace panta
