// Solver parameters of a scene file, checked against what the method declares.
#include "panta/scene/load_parts.h"

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
    keep(reader.optional(info.name, value, info.range, info.doc.c_str()), value);
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

void read_solver(ObjectReader& root, const MethodInfo& method, ParameterSet& solver) {
  root.section("solver", {"solver_" + method.name, "parameters of the method"},
               [&](ObjectReader& reader) {
                 reader.set_noun("parameter");
                 for (const ParameterInfo& info : method.parameters)
                   std::visit(ReadParameter{reader, info, solver}, info.default_value);
               });
}

}  // namespace panta
