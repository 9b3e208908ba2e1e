// Copies the columns that frames show to a frame.
#pragma once

#include <utility>

#include "panta/frame/particle_frame.h"
#include "panta/particles/particles.h"

namespace panta {

namespace detail {

// Values of the first out.size() particles.
template <class D>
void read_column(Particles<D>& columns, int handle, FrameColumn& out) {
  const std::size_t n = out.size();
  switch (columns.info(handle).type) {
    case ColumnType::vector: {
      const auto values = columns.download_vectors(handle);
      auto& to = std::get<std::vector<Vec3>>(out.values);
      for (std::size_t i = 0; i < n; ++i) to[i] = values[i].xyz();
      break;
    }
    case ColumnType::scalar: {
      auto values = columns.download_scalars(handle);
      values.resize(n);
      out.values = std::move(values);
      break;
    }
    case ColumnType::word: {
      auto values = columns.download_words(handle);
      values.resize(n);
      out.values = std::move(values);
      break;
    }
    case ColumnType::symmetric: {
      auto& to = std::get<std::vector<SymmetricMatrix>>(out.values);
      for (int k = 0; k < 6; ++k) {
        const auto values = columns.download_scalars(handle, k);
        for (std::size_t i = 0; i < n; ++i) to[i][static_cast<std::size_t>(k)] = values[i];
      }
      break;
    }
  }
}

}  // namespace detail

// Adds the shown columns to the frame.
template <class D>
void require_columns(const Particles<D>& columns, ParticleFrame& frame) {
  for (int handle = 0; handle < columns.count(); ++handle)
    if (columns.info(handle).shown) frame.require(columns.info(handle));
}

// Copies their values for the first frame.size() particles.
template <class D>
void read_columns(Particles<D>& columns, ParticleFrame& frame) {
  for (int handle = 0; handle < columns.count(); ++handle)
    if (const ColumnInfo& info = columns.info(handle); info.shown)
      detail::read_column(columns, handle, *frame.find(info.name));
}

}  // namespace panta
