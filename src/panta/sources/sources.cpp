#include "panta/sources/sources.h"

namespace panta {

void SinkList::add(const Shape& shape) {
  sinks.push_back({static_cast<int>(nodes.size()), static_cast<int>(shape.nodes().size())});
  for (ShapeNode node : shape.nodes()) {
    node.grid += static_cast<std::int32_t>(grids.size());
    nodes.push_back(node);
  }
  grids.insert(grids.end(), shape.grids().begin(), shape.grids().end());
}

SinkList make_sinks(const Scene& scene) {
  SinkList list;
  for (const Sink& sink : scene.sinks)
    if (sink.active) list.add(sink.outside ? sink.shape.complement() : sink.shape);
  return list;
}

}  // namespace panta
