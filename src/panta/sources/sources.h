// The emitters and sinks of a scene on a device, and the population they change.
#pragma once

#include "panta/core/state.h"
#include "panta/geometry/device_grids.h"
#include "panta/particles/particles.h"
#include "panta/scene/scene.h"
#include "panta/sources/pattern.h"
#include "panta/sources/sink.h"

namespace panta {

// A list of shapes in the device format of sinks.
struct SinkList {
  std::vector<ShapeList::Range> sinks;
  ShapeList shapes;

  void add(const Shape& shape) { sinks.push_back(shapes.add(shape)); }
};
SinkList make_sinks(const Scene& scene);

template <class D>
class DeviceSinks {
 public:
  void set(const SinkList& list) {
    sinks_.upload(list.sinks);
    nodes_.upload(list.shapes.nodes);
    grids_.set(list.shapes.grids);
  }
  SinksView view() const {
    return {sinks_.data(), nodes_.data(), grids_.data(), static_cast<int>(sinks_.size())};
  }

 private:
  Buffer<D, ShapeList::Range> sinks_;
  Buffer<D, ShapeNode> nodes_;
  DeviceGrids<D> grids_;
};

// The columns that emitters write besides position, velocity, id and phase.
struct EmittedColumns {
  std::uint32_t* held = nullptr;
  std::uint32_t* object = nullptr;  // null: there is one object only
};

template <class D>
class Sources {
 public:
  // Takes over a scene's emitters and sinks; the state of the emitters is kept. Throws Error(usage)
  // if their number changes.
  void set(const EmitterList& emitters, const SinkList& sinks);

  bool has_emitters() const { return !specs_.empty(); }
  bool has_sinks() const { return sinks_.view().count > 0; }
  EmittersView emitters() { return {device_specs_.data(), states_.data(), emitter_count()}; }
  SinksView sinks() const { return sinks_.view(); }

  // The largest speed of all emitters, m/s.
  float fastest() const;
  // Particles in one layer of each emitter together.
  std::size_t layer_size() const { return points_.size(); }

  // At the start and at the end of a step; all on the device.
  void begin_step(const D& exec, Particles<D>& particles, const EmittedColumns& columns,
                  Population* population, const StepState* state, const RoomRequest& slots);
  void end_step(const D& exec, const StepState* state);

  void save(State& state) const { state.put("emitters", states_.download()); }
  void restore(const State& state);

 private:
  int emitter_count() const { return static_cast<int>(specs_.size()); }

  std::vector<EmitterSpec> specs_;
  Buffer<D, EmitterSpec> device_specs_;
  Buffer<D, EmitterState> states_;
  Buffer<D, Vec3> points_;
  Buffer<D, std::uint32_t> emitter_of_;
  DeviceSinks<D> sinks_;
};

}  // namespace panta
