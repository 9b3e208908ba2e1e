// panta info: version and features of this build; panta info METHOD: the parameters of a method and
// the columns of its particles; panta info FILE: the content of a file.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "commands.h"
#include "describe_file.h"
#include "panta/core/file.h"
#include "panta/engine/devices.h"
#include "panta/engine/methods.h"
#include "panta/engine/simulation.h"
#include "panta/io/vdb.h"
#include "panta/load/load.h"
#include "panta/load/schema.h"
#include "panta/render/final/final_painter.h"
#include "panta/render/gl/gl_painter.h"
#include "panta/solver/common_columns.h"
#include "parameter_table.h"
#include "print.h"
#include "scene_files.h"
#include "text_table.h"

namespace panta::app {
namespace {

std::string compiler() {
#ifdef __clang__
  return __VERSION__;
#else
  return "g++ " __VERSION__;
#endif
}

const char* instruction_set() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#else
  return "baseline";
#endif
}

void print_build() {
  std::string missing;
  const bool cuda = cuda_available(&missing);
  const std::string folder = scenes_folder();
  print(stdout, "panta {}\n", PANTA_VERSION);
  print(stdout, "  compiler         {}\n", compiler());
  print(stdout, "  instruction set  {}\n", instruction_set());
  print(stdout, "  cpu              {} threads\n", std::thread::hardware_concurrency());
  print(stdout, "  cuda             {}\n", cuda ? "available" : "not available: " + missing);
  print(stdout, "  previews         {}\n", opengl_available(&missing) ? "OpenGL" : missing);
  const std::string engine = final_painter_engine();
  print(stdout, "  final pictures   {}\n",
        engine.empty() ? "not available: built without Embree" : engine);
  const std::string openvdb = openvdb_version(&missing);
  print(stdout, "  volumes          {}\n",
        openvdb.empty() ? "not available: " + missing : "OpenVDB " + openvdb);
  print(stdout, "  scenes           {}\n", folder.empty() ? "not found" : folder);
  print(stdout, "methods\n");
  for (const MethodInfo& method : methods())
    print(stdout, "  {:<15}  {}\n", method.name, method.title);
}

void print_columns(const std::string& heading, const std::vector<ColumnInfo>& columns, bool shown) {
  std::vector<TextRow> rows;
  for (const ColumnInfo& column : columns)
    if (column.shown == shown)
      rows.push_back({column.name, type_name(column.type), column.unit, column.doc});
  if (!rows.empty()) print_lines(stdout, heading + ":\n" + text_table(rows, "  "));
}

void print_method(const MethodInfo& method) {
  print(stdout, "{}: {}\n", method.name, method.title);
  print_lines(stdout, parameter_table(method.parameters));
  if (!method.material_parameters.empty())
    print_lines(stdout, "in the block '" + method.name + "' of a material:\n" +
                            parameter_table(method.material_parameters));
  std::vector<ColumnInfo> columns = common_columns(nullptr);
  for (const ColumnInfo& column : method.columns(nullptr)) columns.push_back(column);
  print_columns("columns of particles, in frames and files", columns, true);
  print_columns("columns of particles, for steps only", columns, false);
}

int info(const Arguments& args) {
  if (args.has("--schema")) return print_lines(stdout, scene_schema()), exit_done;
  if (args.has("--reference")) return print_lines(stdout, scene_reference()), exit_done;
  if (args.operands().empty()) return print_build(), exit_done;
  const std::string& subject = args.operands()[0];
  const bool is_method = std::any_of(methods().begin(), methods().end(),
                                     [&](const MethodInfo& m) { return m.name == subject; });
  if (!is_method && file_exists(subject))
    return print_lines(stdout, describe_file(subject)), exit_done;
  print_method(find_method(subject));
  return exit_done;
}

}  // namespace

Command info_command() {
  return {
      {"info",
       "[METHOD|FILE|DIR]",
       0,
       1,
       "describe this build, the parameters and columns of a method, or the content of a file or "
       "result folder",
       {{"--schema", "", "print the JSON schema of scene files"},
        {"--reference", "", "print the reference page of scene files"}}},
      info};
}

}  // namespace panta::app
