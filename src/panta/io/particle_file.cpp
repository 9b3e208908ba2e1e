#include "panta/io/particle_file.h"

#include <array>
#include <filesystem>

#include "panta/core/error_format.h"
#include "panta/io/csv.h"
#include "panta/io/ply.h"
#include "panta/io/vtp.h"

namespace panta {

namespace {

struct Format {
  const char* name;
  void (*write)(const std::string&, const ParticleFrame&);
  ParticleFrame (*read)(const std::string&);
};

constexpr std::array<Format, 3> formats = {
    {{"vtp", write_vtp, read_vtp}, {"ply", write_ply, read_ply}, {"csv", write_csv, read_csv}}};

const Format& find_format(const std::string& name, const std::string& path) {
  for (const Format& format : formats)
    if (name == format.name) return format;
  throw Error(ErrorKind::io, "'{}' has no known particle format: use vtp, ply or csv", path);
}

}  // namespace

const std::vector<std::string>& particle_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Format& format : formats) list.emplace_back(format.name);
    return list;
  }();
  return names;
}

void write_particles(const std::string& path, const std::string& format,
                     const ParticleFrame& frame) {
  find_format(format, path).write(path, frame);
}

ParticleFrame read_particles(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return find_format(extension.empty() ? "" : extension.substr(1), path).read(path);
}

}  // namespace panta
