#include "panta/sources/sources.h"

namespace panta {

SinkList make_sinks(const Scene& scene) {
  SinkList list;
  for (const Sink& sink : scene.sinks)
    if (sink.active) list.add(sink.outside ? sink.shape.complement() : sink.shape);
  return list;
}

}  // namespace panta
