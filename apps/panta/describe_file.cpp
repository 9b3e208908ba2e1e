// Descriptions of files, each a heading and rows of a name and a value.
#include "describe_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/engine/memory_check.h"
#include "panta/engine/methods.h"
#include "panta/geometry/read_mesh.h"
#include "panta/io/checkpoint.h"
#include "panta/io/frame_files.h"
#include "panta/io/output.h"
#include "panta/io/particle_file.h"
#include "panta/io/ply.h"
#include "panta/io/vtp.h"
#include "panta/json/json.h"

namespace panta::app {
namespace {

namespace fs = std::filesystem;

class Description {
 public:
  Description(const std::string& path, const std::string& kind)
      : text_(fmt::format("{}: {}\n", path, kind)) {}

  template <class... Args>
  Description& row(const std::string& name, fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format("  {:<16}{}\n", name, fmt::format(format, std::forward<Args>(args)...));
    return *this;
  }
  Description& box(const Vec3& min, const Vec3& max) {
    return row("bounds", "({:.5g}, {:.5g}, {:.5g}) to ({:.5g}, {:.5g}, {:.5g}) m", min.x, min.y,
               min.z, max.x, max.y, max.z);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string describe_checkpoint(const std::string& path) {
  const Checkpoint checkpoint = read_checkpoint(path);
  const CheckpointInfo& info = checkpoint.info;
  Description out(path, "a checkpoint, its checksums are right");
  out.row("written by", "Panta {} (format version {})", info.version, checkpoint_format);
  out.row("method", "{} on {}", info.method, info.device);
  out.row("frame", "{}, t = {} s after {} steps", info.frame, info.time, info.steps);
  out.row("particles", "{}", info.particles);
  out.row("scene key", "{}", info.scene_key);
  for (const StateArray& array : checkpoint.state.arrays())
    out.row("array", "{}: {} x {} bytes", array.name, array.count(), array.element_size);
  return out.text();
}

// `declared`: columns of the method that wrote the frame, if it is known; files of particles
// contain no explanations.
void describe_columns(Description& out, const ParticleFrame& frame,
                      const std::vector<ColumnInfo>& declared = {}) {
  for (const FrameColumn& column : frame.columns) {
    ColumnInfo info = column.info;
    for (const ColumnInfo& known : declared)
      if (known.name == info.name) info.doc = known.doc;
    out.row("column", "{}: {}{}{}", info.name, type_name(info.type),
            info.unit.empty() ? "" : ", " + info.unit, info.doc.empty() ? "" : "; " + info.doc);
  }
}

std::string describe_particles(const std::string& path) {
  const ParticleFrame frame = read_particles(path);
  Description out(path, "particles");
  out.row("particles", "{}", frame.size());
  out.row("time", "{} s", frame.time);
  describe_columns(out, frame);
  if (frame.size() == 0) return out.text();
  Vec3 low = frame.position()[0], high = low;
  float slowest = std::numeric_limits<float>::infinity(), fastest = 0;
  std::map<std::uint32_t, std::size_t> phases;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Vec3& x = frame.position()[i];
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    const float speed = length(frame.velocity()[i]);
    slowest = std::min(slowest, speed);
    fastest = std::max(fastest, speed);
    ++phases[frame.phase()[i]];
  }
  out.box(low, high).row("speed", "{:.5g} to {:.5g} m/s", slowest, fastest);
  for (const auto& [phase, count] : phases)
    out.row("material", "number {}: {} particles", phase, count);
  return out.text();
}

std::string describe_triangles(const std::string& path, const TriangleMesh& mesh) {
  Description out(path, "a triangle mesh");
  out.row("triangles", "{} with {} vertices", mesh.triangles.size(), mesh.vertices.size());
  if (mesh.vertices.empty()) return out.text();
  const MeshBounds bounds = mesh_bounds(mesh);
  const MeshReport report = inspect_mesh(mesh);
  out.box(bounds.min, bounds.max).row("area", "{:.5g} m2", mesh_area(mesh));
  if (report.closed()) out.row("volume", "{:.5g} m3", mesh_volume(mesh));
  out.row("surface", "{}", describe(report));
  return out.text();
}

std::string describe_mesh(const std::string& path) {
  return describe_triangles(path, read_mesh(path));
}

std::string describe_vtp(const std::string& path) {
  const std::optional<TriangleMesh> surface = read_vtp_triangles(path);
  return surface ? describe_triangles(path, *surface) : describe_particles(path);
}

std::string describe_ply(const std::string& path) {
  return is_particle_ply(read_binary_file(path)) ? describe_particles(path) : describe_mesh(path);
}

// A number, or text, of a JSON object; "-" if it is missing.
std::string field(const json::Value& object, const char* key) {
  const json::Value* value = object.find(key);
  if (!value) return "-";
  return value->type == json::Type::string ? value->string : fmt::format("{}", value->number);
}

std::string describe_lines(const std::string& path) {
  const std::string content = read_binary_file(path);
  Description out(path, "figures, one line of JSON each");
  out.row("lines", "{}", std::count(content.begin(), content.end(), '\n'));
  const std::size_t end = content.find_last_of('\n');  // an incomplete line is still being written
  if (end == std::string::npos) return out.text();
  const std::size_t before = content.find_last_of('\n', end - 1);
  const std::size_t start = before == std::string::npos || end == 0 ? 0 : before + 1;
  const json::Value last = json::parse(content.substr(start, end - start), path);
  out.row("last frame", "{}", field(last, "frame"));
  if (last.find("time")) out.row("last time", "{} s", field(last, "time"));
  std::string keys;
  for (const json::Member& member : last.members) keys += (keys.empty() ? "" : ", ") + member.key;
  return out.row("figures", "{}", keys).text();
}

std::string describe_collection(const std::string& path) {
  const std::string content = read_binary_file(path);
  const std::string start = "timestep=\"";
  std::vector<std::string> times;
  for (std::size_t at = 0; (at = content.find(start, at)) != std::string::npos;) {
    at += start.size();
    times.push_back(content.substr(at, content.find('"', at) - at));
  }
  Description out(path, "a collection of files for ParaView");
  out.row("frames", "{}", times.size());
  if (!times.empty()) out.row("time", "{} to {} s", times.front(), times.back());
  return out.text();
}

void describe_run(Description& out, const json::Value& run) {
  for (const char* key :
       {"status", "version", "command", "started", "finished", "device", "threads", "frames",
        "steps", "particles", "wall_seconds", "resumed_from_frame"})
    if (run.find(key)) out.row(key, "{}", field(run, key));
}

std::string describe_json(const std::string& path) {
  const json::Value value = json::parse(read_binary_file(path), path);
  if (value.find("status")) {
    Description out(path, "the record of a run");
    describe_run(out, value);
    return out.text();
  }
  if (value.find("method"))
    return Description(path, fmt::format("a scene; 'panta check {}' describes it", path)).text();
  throw Error(ErrorKind::usage, "'{}' is neither a scene nor the record of a run", path);
}

// The columns of the method of a result folder; none if it is not known.
std::vector<ColumnInfo> declared_columns(const std::string& path) {
  const std::string scene = path + "/scene.json";
  if (!file_exists(scene)) return {};
  const std::string name = field(json::parse(read_binary_file(scene), scene), "method");
  for (const MethodInfo& method : methods())
    if (method.name == name) return method.columns(nullptr);
  return {};
}

// The columns of a folder's particles, from its first frame. If that is damaged, the rest is still
// described.
void describe_frames(Description& out, const std::string& path) {
  try {
    describe_columns(out, read_particles(list_frames(path).front().path), declared_columns(path));
  } catch (const Error& error) {
    out.row("columns", "not known: {}", error.what());
  }
}

// A checkpoint that cannot be read, such as one of an earlier version, is reported as such.
void describe_last_checkpoint(Description& out, const std::string& path) {
  if (!file_exists(path)) {
    out.row("checkpoint", "none");
    return;
  }
  try {
    const CheckpointInfo info = read_checkpoint(path).info;
    out.row("checkpoint", "frame {}, t = {} s", info.frame, info.time);
  } catch (const Error& error) {
    out.row("checkpoint", "{}", error.what());
  }
}

std::string describe_folder(const std::string& path) {
  if (!holds_run(path))
    throw Error(ErrorKind::usage, "'{}' is not a result folder: it contains no run.json", path);
  Description out(path, "a result folder");
  const std::string record = path + "/run.json";
  if (file_exists(record)) describe_run(out, json::parse(read_binary_file(record), record));
  double bytes = 0;
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size()), ++files;
  out.row("files", "{}, {}", files, memory_text(bytes));
  describe_frames(out, path);
  describe_last_checkpoint(out, checkpoint_path(path));
  return out.text();
}

}  // namespace

std::string describe_file(const std::string& path) {
  if (fs::is_directory(path)) return describe_folder(path);
  using Describe = std::string (*)(const std::string&);
  static const std::map<std::string, Describe> by_extension = {
      {".panta", describe_checkpoint}, {".vtp", describe_vtp},   {".csv", describe_particles},
      {".ply", describe_ply},          {".obj", describe_mesh},  {".stl", describe_mesh},
      {".jsonl", describe_lines},      {".json", describe_json}, {".pvd", describe_collection}};
  const auto found = by_extension.find(fs::path(path).extension().string());
  if (found != by_extension.end()) return found->second(path);
  std::string known;
  for (const auto& [extension, describe] : by_extension)
    known += (known.empty() ? "" : " ") + extension;
  throw Error(ErrorKind::usage, "'{}' is of an unknown kind: {}", path, known);
}

}  // namespace panta::app
