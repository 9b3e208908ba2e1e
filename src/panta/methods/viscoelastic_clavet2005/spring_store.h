// The springs of a simulation on a device.
#pragma once

#include <string>
#include <vector>

#include "panta/core/reduce.h"
#include "panta/core/state.h"
#include "panta/methods/viscoelastic_clavet2005/columns.h"
#include "panta/methods/viscoelastic_clavet2005/spring_rows.h"
#include "panta/particles/particles.h"

namespace panta::viscoelastic {

struct SpringCounts {
  std::uint64_t springs = 0, added = 0, removed = 0, clamped = 0;
};

template <class D>
class SpringStore {
 public:
  static constexpr std::uint32_t lane_room = 16;  // behind a row, for packs

  // Without its columns the store is not used.
  void find_columns(const Particles<D>& particles) {
    row_ = particles.find(spring_row_column().name);
    then_ = particles.find(spring_place_column().name);
  }
  bool used() const { return row_ >= 0; }

  // Room for rows of so many particles; existing rows stay.
  void resize(std::size_t particles, std::uint32_t capacity) {
    if (!used()) return;
    if (capacity > capacity_ && rows_ > 0) {
      const auto kept = contents();
      capacity_ = capacity;
      allocate(std::max(particles, rows_));
      upload(kept);
      return;
    }
    if (capacity > capacity_) capacity_ = capacity;
    if (particles > rows_) allocate(particles);
  }
  std::uint32_t capacity() const { return capacity_; }

  SpringView<D> view(Particles<D>& particles) {
    SpringView<D> v;
    for (int g = 0; g < 2; ++g)
      v.generation[g] = {others_[g].data(), lengths_[g].data(), counts_[g].data(),
                         owners_[g].data()};
    v.stride = stride();
    v.capacity = capacity_;
    v.rows = static_cast<std::uint32_t>(rows_);
    v.slot_now = slot_now_.data();
    v.book = book_.data();
    if (!used()) return v;
    v.row_of = particles.words(row_);
    v.then = particles.vector(then_);
    return v;
  }
  SpringBook* book() { return book_.data(); }
  std::size_t rows() const { return rows_; }

  // Springs that end with a particle are not counted one by one: removed springs are those added
  // minus those that exist.
  SpringCounts counts(const D& exec, Particles<D>& particles, Index occupied) {
    const SpringBook book = book_.get();
    SpringCounts c{0, book.added, 0, book.clamped};
    if (!used()) return c;
    const CountSprings<D> ends{view(particles), particles.position(), particles.id()};
    c.springs = static_cast<std::uint64_t>(0.5 * reduce(exec, occupied, 0.0, ends, scratch_));
    c.removed = c.added - c.springs;
    return c;
  }

  // The springs of particles `kept`, in their order; others are named by their place among them.
  void save(State& state, Particles<D>& particles, const std::vector<std::size_t>& kept) {
    state.put_value("spring book", book_.get());
    if (!used()) return;
    const Contents all = contents();
    const auto row_of = particles.download_words(row_);
    const auto ids = particles.download_words(particles.id_handle());
    const auto then = particles.download_vectors(then_);
    std::vector<std::uint32_t> place(rows_, nowhere);
    const auto known = [&](std::size_t i) {
      return row_of[i] < rows_ && all.owners[row_of[i]] == ids[i];
    };
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (known(kept[k])) place[row_of[kept[k]]] = static_cast<std::uint32_t>(k);
    std::vector<std::uint32_t> counts, others;
    std::vector<float> lengths;
    std::vector<Vec4> places;
    for (const std::size_t i : kept) {
      const std::size_t row = known(i) ? row_of[i] : 0, before = others.size();
      const std::uint32_t count = known(i) ? all.counts[row] : 0;
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t at = entry<D>(row, k, stride());
        if (place[all.others[at]] == nowhere) continue;
        others.push_back(place[all.others[at]]);
        lengths.push_back(all.lengths[at]);
      }
      counts.push_back(static_cast<std::uint32_t>(others.size() - before));
      places.push_back(known(i) ? then[i] : Vec4{});
    }
    state.put("spring counts", counts);
    state.put("spring ends", others);
    state.put("spring lengths", lengths);
    state.put("spring places", places);
  }

  // For particles that have just been restored in the order they were saved in.
  void restore(const State& state, Particles<D>& particles) {
    SpringBook book = state.get_value<SpringBook>("spring book");
    book.current = 0;
    book_.set(book);
    if (!used()) return;
    const auto counts = state.get<std::uint32_t>("spring counts");
    const auto others = state.get<std::uint32_t>("spring ends");
    const auto lengths = state.get<float>("spring lengths");
    const auto places = state.get<Vec4>("spring places");
    const auto ids = particles.download_words(particles.id_handle());
    std::uint64_t total = 0;
    std::uint32_t longest = 0;
    for (const std::uint32_t c : counts) total += c, longest = std::max(longest, c);
    const bool good = counts.size() == places.size() && counts.size() <= ids.size() &&
                      total == others.size() && total == lengths.size() &&
                      std::all_of(others.begin(), others.end(),
                                  [&](std::uint32_t j) { return j < counts.size(); });
    if (!good)
      throw Error(ErrorKind::io,
                  std::string("the saved state is inconsistent: its springs do not fit it"));
    resize(counts.size(), longest);
    Contents all = contents();
    std::vector<std::uint32_t> row_of(counts.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      row_of[i] = static_cast<std::uint32_t>(i);
      all.counts[i] = counts[i];
      all.owners[i] = ids[i];
      for (std::size_t k = 0; k < counts[i]; ++k, ++next) {
        all.others[entry<D>(i, k, stride())] = others[next];
        all.lengths[entry<D>(i, k, stride())] = lengths[next];
      }
    }
    upload(all);
    particles.upload_words(row_, row_of);
    particles.upload_vectors(then_, places);
  }

 private:
  struct Contents {  // of the generation that counts
    std::vector<std::uint32_t> others, counts, owners;
    std::vector<float> lengths;
    std::size_t stride = 0;
  };
  std::size_t stride() const { return std::size_t{capacity_} + lane_room; }

  void allocate(std::size_t particles) {
    constexpr std::size_t round = 32;  // see entry()
    rows_ = (particles + round - 1) / round * round;
    for (int g = 0; g < 2; ++g) {
      const std::size_t known = owners_[g].size();
      others_[g].resize(rows_ * stride() + lane_room);
      lengths_[g].resize(rows_ * stride() + lane_room);
      counts_[g].resize(rows_);
      owners_[g].resize(rows_);
      std::vector<std::uint32_t> owners = owners_[g].download();
      std::fill(owners.begin() + static_cast<std::ptrdiff_t>(std::min(known, rows_)), owners.end(),
                nowhere);
      owners_[g].upload(owners);
    }
    slot_now_.resize(rows_);
  }
  Contents contents() {
    const std::uint32_t g = book_.get().current;
    return {others_[g].download(), counts_[g].download(), owners_[g].download(),
            lengths_[g].download(), stride()};
  }
  // Rows that were read at another stride.
  void upload(const Contents& from) {
    const std::uint32_t g = book_.get().current;
    std::vector<std::uint32_t> others(rows_ * stride() + lane_room), owners(rows_, nowhere),
        counts(rows_);
    std::vector<float> lengths(others.size());
    for (std::size_t row = 0; row < from.counts.size(); ++row) {
      counts[row] = from.counts[row];
      owners[row] = from.owners[row];
      if (owners[row] == nowhere) continue;
      for (std::size_t k = 0; k < counts[row]; ++k) {
        others[entry<D>(row, k, stride())] = from.others[entry<D>(row, k, from.stride)];
        lengths[entry<D>(row, k, stride())] = from.lengths[entry<D>(row, k, from.stride)];
      }
    }
    others_[g].upload(others);
    lengths_[g].upload(lengths);
    counts_[g].upload(counts);
    owners_[g].upload(owners);
  }

  Buffer<D, std::uint32_t> others_[2], counts_[2], owners_[2], slot_now_;
  Buffer<D, float> lengths_[2];
  Buffer<D, double> scratch_;
  DeviceValue<D, SpringBook> book_{SpringBook{}};
  std::uint32_t capacity_ = 0;
  std::size_t rows_ = 0;
  int row_ = -1, then_ = -1;  // attributes
};

}  // namespace panta::viscoelastic
