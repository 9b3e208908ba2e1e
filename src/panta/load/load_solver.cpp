// Parameters in a scene file, checked against what the method declares.
#include "panta/load/load_parts.h"

namespace panta {
namespace {

// Reads one declared parameter; only what the scene gives goes into the set.
struct ReadParameter {
  ObjectReader& reader;
  const ParameterInfo& info;
  ParameterSet& set;

  void operator()(bool value) const {
    keep(reader.optional(info.name, value, info.doc.c_str()), value);
  }
  void operator()(double value) const {
    const bool has_default = in_range(info.range, value);
    keep(has_default ? reader.optional(info.name, value, info.range, info.doc.c_str())
                     : reader.if_given(info.name, value, info.range, info.doc.c_str()),
         value);
  }
  void operator()(Vec3d value) const {
    const Vector kind{Vector::Kind::direction, info.range.unit};
    keep(reader.optional(info.name, value, kind, info.doc.c_str()), value);
  }
  void operator()(std::string value) const {
    keep(reader.optional(info.name, value, info.choices, info.doc.c_str()), value);
  }

 private:
  template <class T>
  void keep(bool given, const T& value) const {
    if (given) set[info.name] = value;
  }
};

}  // namespace

void read_parameters(ObjectReader& reader, const std::vector<ParameterInfo>& infos,
                     ParameterSet& set) {
  for (const ParameterInfo& info : infos)
    std::visit(ReadParameter{reader, info, set}, info.default_value);
}

void read_solver(ObjectReader& root, const MethodInfo& method, ParameterSet& solver) {
  root.section("solver", {"solver_" + method.name, "parameters of the method"},
               [&](ObjectReader& reader) {
                 reader.set_noun("parameter");
                 read_parameters(reader, method.parameters, solver);
               });
}

}  // namespace panta
