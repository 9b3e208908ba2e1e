// Force fields on this device against the host.
#include "panta/fields/force_field.h"

#include "panta/core/launch.h"
#include "support.h"

namespace panta::test {
namespace {

struct Accelerate {
  ForceField field;
  const Vec3* x;
  Vec3* a;
  PANTA_HD void operator()(Index i) const {
    a[i] = fields_acceleration(&field, 1, x[i], {1, 2, 3}, 0.7f, 0.3f);
  }
};

TEST(ForceFieldOnDevice, AgreesWithTheHost) {
  const std::vector<Vec3> points = random_points(1000, {-1, -1, -1}, {1, 1, 1});
  const Buffer<D, Vec3> x(points);
  Buffer<D, Vec3> a(points.size());
  for (const FieldType type :
       {FieldType::swirl, FieldType::hand, FieldType::uniform, FieldType::drag, FieldType::wind}) {
    ForceField field;
    field.type = type;
    field.vector = {0.5f, 0, -0.5f};
    field.rate = field.strength = field.drag = 2;
    field.turbulence = 1;
    field.scale = 0.3f;
    field.keys = 1;
    launch(executor(), static_cast<Index>(points.size()), Accelerate{field, x.data(), a.data()});
    executor().synchronize();
    const std::vector<Vec3> got = a.download();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 expected = fields_acceleration(&field, 1, points[i], {1, 2, 3}, 0.7f, 0.3f);
      EXPECT_LT(length(got[i] - expected), 1e-4f);
    }
  }
}

}  // namespace
}  // namespace panta::test
