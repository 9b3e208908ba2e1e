#include "panta/io/surface_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "panta/core/error_format.h"
#include "panta/core/file.h"

namespace panta {

namespace {

using Write = void (*)(const std::string&, const SurfaceMesh&, double);
struct Format {
  std::string name;
  Write write;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {"ply", write_surface_ply}, {"obj", write_surface_obj}, {"vtp", write_surface_vtp}};
  return all;
}

void check(const std::string& path, const SurfaceMesh& mesh) {
  const auto fits = [&](const char* what, std::size_t values) {
    if (values != 0 && values != mesh.position.size())
      throw Error(ErrorKind::io, "cannot write '{}': {} values of {} for {} vertices", path, values,
                  what, mesh.position.size());
  };
  fits("normal", mesh.normal.size());
  fits("velocity", mesh.velocity.size());
  fits("value", mesh.value.size());
}

}  // namespace

const std::vector<std::string>& surface_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Format& format : formats()) list.push_back(format.name);
    return list;
  }();
  return names;
}

void write_surface(const std::string& path, const std::string& format, const SurfaceMesh& mesh,
                   double time) {
  const auto found = std::find_if(formats().begin(), formats().end(),
                                  [&](const Format& known) { return known.name == format; });
  if (found == formats().end())
    throw Error(ErrorKind::usage, "'{}' is not a surface format: use ply, obj and vtp", format);
  check(path, mesh);
  found->write(path, mesh, time);
}

void write_surface_obj(const std::string& path, const SurfaceMesh& mesh, double time) {
  constexpr std::size_t most_buffered = 1 << 20;
  OutputFile file(path);
  std::string text = fmt::format("# panta surface, time {} s\n", time);
  const auto line = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    if (text.size() < most_buffered) return;
    file.write(text);
    text.clear();
  };
  for (const Vec3& x : mesh.position) line("v {} {} {}\n", x.x, x.y, x.z);
  for (const Vec3& n : mesh.normal) line("vn {} {} {}\n", n.x, n.y, n.z);
  for (const Triangle& t : mesh.triangles) {
    const std::uint64_t a = t[0] + 1ull, b = t[1] + 1ull, c = t[2] + 1ull;
    if (mesh.normal.empty())
      line("f {} {} {}\n", a, b, c);
    else
      line("f {}//{} {}//{} {}//{}\n", a, a, b, b, c, c);
  }
  file.write(text);
  file.close();
}

}  // namespace panta
