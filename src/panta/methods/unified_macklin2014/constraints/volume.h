// The volume that a closed mesh of particles encloses, for inflatables: the cloth balloons of
// Mueller et al. 2007, "Position based dynamics", with a sixth so that C is a volume (m3).
//
//   C = V - k V_0,   V = sum over triangles of x_0 . (x_1 x x_2) / 6
//   grad_0 of a triangle's part = (x_1 x x_2) / 6, and so on in turn
//
// k: `pressure`, V_0: the volume at rest, as the particles start. grad_i C is a third of the area
// vectors around particle i, so lambda / dt^2 is the overpressure inside (Pa). With a compliance
// (m3/Pa) it comes to rest at (k V_0 - V) / compliance.
//
// The volumes of several closed meshes of one constraint are added, as of connected chambers.
#pragma once

#include <string>
#include <vector>

#include "panta/methods/unified_macklin2014/constraints/constraint_type.h"

namespace panta::unified {

struct VolumeConstraint {
  static constexpr const char* name = "volume";
  static constexpr const char* doc = "keeps the volume inside a closed mesh of particles";
  static constexpr int element_size = 3;
  static constexpr const char* element_name = "triangle";

  struct Params : SoftParams {
    double pressure = 1;

    template <class V>
    void visit(V&& v) {
      v("pressure", pressure, Number{"", 0, 1e6, true},
        "the volume to be kept, as a multiple of the volume at rest; above 1 the mesh is inflated");
      SoftParams::visit(v, {"m3/Pa",
                            "volume lacking for each pascal of overpressure inside; 0: as stiff as "
                            "the iterations allow",
                            "Pa s/m3"});
    }
  };
  struct Data {
    double volume = 0;  // m3, to be kept
  };

  static Data make(const Params& params, double rest_volume) {
    return {params.pressure * rest_volume};
  }
  static const char* flaw(const Data& data) {
    if (data.volume < 0)
      return "its triangles are inside out: name their particles counter-clockwise, seen from "
             "outside";
    return data.volume > 0 ? nullptr : "its triangles enclose no volume where they start";
  }
  // Whether the triangles are a closed mesh.
  static std::string element_flaw(const std::vector<std::uint32_t>& ids,
                                  const std::vector<Vec3>& start);

  PANTA_HD static bool one_sided(const Data&) { return false; }
  PANTA_HD static float element(const Vec3* x, Vec3* gradient) {
    for (int m = 0; m < 3; ++m) gradient[m] = cross(x[(m + 1) % 3], x[(m + 2) % 3]) * (1.0f / 6.0f);
    return dot(x[0], gradient[0]);
  }
  PANTA_HD static ValueOfSum value(const Data& data, double volume, double) {
    return {static_cast<float>(volume - data.volume), 1.0f};
  }
};

}  // namespace panta::unified
