#include "panta/io/object_file.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/io/json_lines.h"
#include "panta/json/json_line.h"

namespace panta {

namespace {

constexpr std::size_t pose_numbers = 13;

const std::vector<std::string> kind_names = {"fluid", "emitter", "solid"};  // by ObjectKind

bool same_entry(const Object& a, const Object& b) {
  return a.kind == b.kind && a.name == b.name && a.entry == b.entry && a.copy == b.copy &&
         a.material == b.material;
}

bool same_topology(const Object& a, const Object& b) {
  return a.edges == b.edges && a.triangles == b.triangles;
}

bool has_pose(const std::vector<Object>& objects) {
  return std::any_of(objects.begin(), objects.end(),
                     [](const Object& object) { return object.pose.has_value(); });
}

std::string table_line(int frame, const std::vector<Object>& objects) {
  std::vector<JsonLine> list;
  for (const Object& object : objects)
    list.push_back(JsonLine()
                       .add("kind", kind_names[static_cast<std::size_t>(object.kind)])
                       .add("name", object.name)
                       .add("entry", object.entry)
                       .add("copy", object.copy)
                       .add("material", object.material));
  return JsonLine().add("frame", frame).add("objects", list).text();
}

template <std::size_t n>
std::string id_list(const std::vector<std::array<std::uint32_t, n>>& groups) {
  std::string text;
  for (const auto& group : groups)
    for (const std::uint32_t id : group) text += (text.empty() ? "" : ", ") + std::to_string(id);
  return "[" + text + "]";
}

std::string topology_line(int frame, std::size_t number, const Object& object) {
  return fmt::format(R"({{"frame": {}, "object": {}, "edges": {}, "triangles": {}}})", frame,
                     number, id_list(object.edges), id_list(object.triangles));
}

std::array<double, pose_numbers> numbers_of(const BodyPose& pose) {
  const Vec3d &x = pose.position, &v = pose.velocity, &s = pose.spin;
  const Quat& q = pose.rotation;
  return {x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, s.x, s.y, s.z};
}

std::string pose_text(const std::optional<BodyPose>& pose) {
  if (!pose) return "null";
  std::string text;
  for (const double number : numbers_of(*pose)) {
    if (!std::isfinite(number)) return "null";
    text += fmt::format("{}{:.9g}", text.empty() ? "" : ", ", number);
  }
  return "[" + text + "]";
}

std::string pose_line(int frame, const std::vector<Object>& objects) {
  std::string list;
  for (const Object& object : objects) list += (list.empty() ? "" : ", ") + pose_text(object.pose);
  return fmt::format(R"({{"frame": {}, "poses": [{}]}})", frame, list);
}

int whole_number(const json::Value& object, const char* key) {
  const double number = json_lines::member(object, key, json::Type::number).number;
  if (!(number >= 0 && number < 1e9)) json_lines::refuse(fmt::format("bad '{}'", key));
  return static_cast<int>(number);
}

Object read_object(const json::Value& entry) {
  Object object;
  const std::string& kind = json_lines::member(entry, "kind", json::Type::string).string;
  const auto known = std::find(kind_names.begin(), kind_names.end(), kind);
  if (known == kind_names.end())
    json_lines::refuse(fmt::format("'{}' is not a kind of object", kind));
  object.kind = static_cast<ObjectKind>(known - kind_names.begin());
  object.name = json_lines::member(entry, "name", json::Type::string).string;
  object.entry = whole_number(entry, "entry");
  object.copy = whole_number(entry, "copy");
  object.material = whole_number(entry, "material");
  return object;
}

template <std::size_t n>
std::vector<std::array<std::uint32_t, n>> read_ids(const json::Value& line, const char* key) {
  const json::Value& list = json_lines::member(line, key, json::Type::array);
  const std::vector<double> ids = json_lines::numbers(list, key, list.items.size() / n * n);
  std::vector<std::array<std::uint32_t, n>> groups(ids.size() / n);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (!(ids[k] >= 0 && ids[k] < 4294967296.0)) json_lines::refuse(fmt::format("bad '{}'", key));
    groups[k / n][k % n] = static_cast<std::uint32_t>(ids[k]);
  }
  return groups;
}

std::optional<BodyPose> read_pose(const json::Value& entry) {
  if (entry.type == json::Type::null) return {};
  const std::vector<double> v = json_lines::numbers(entry, "poses", pose_numbers);
  return BodyPose{.position = {v[0], v[1], v[2]},
                  .rotation = json_lines::unit_quaternion(v.data() + 3, "poses"),
                  .velocity = {v[7], v[8], v[9]},
                  .spin = {v[10], v[11], v[12]}};
}

}  // namespace

std::vector<std::string> ObjectLines::next(int frame, const std::vector<Object>& objects) {
  std::vector<std::string> lines;
  if (!std::equal(objects.begin(), objects.end(), last_.begin(), last_.end(), same_entry))
    lines.push_back(table_line(frame, objects));
  for (std::size_t k = 0; k < objects.size(); ++k)
    if (!same_topology(objects[k], k < last_.size() ? last_[k] : Object{}))
      lines.push_back(topology_line(frame, k, objects[k]));
  if (has_pose(objects) || has_pose(last_)) lines.push_back(pose_line(frame, objects));
  last_ = objects;
  return lines;
}

ObjectFile::ObjectFile(const std::string& path) : path_(path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(ErrorKind::io, "cannot read '{}'", path);
  std::uint64_t start = 0;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    find_line(line, start, number);
    start += line.size() + 1;
  }
}

// Lines of poses, of which there are many, have a fixed beginning and are parsed later.
void ObjectFile::find_line(const std::string& text, std::uint64_t start, int number) {
  constexpr std::string_view opening = R"({"frame": )", poses = R"(, "poses": [)";
  try {
    const std::size_t digits_end = text.find_first_not_of("0123456789", opening.size());
    const bool numbered = text.starts_with(opening) && digits_end != std::string::npos &&
                          digits_end > opening.size() && digits_end - opening.size() < 10;
    if (numbered && std::string_view(text).substr(digits_end).starts_with(poses) &&
        text.ends_with("]}"))
      poses_[std::stoi(text.substr(opening.size()))] = start;
    else
      read_line(json_lines::parse(text, object_file_name));
  } catch (const Error& error) {
    if (damage_.empty()) damage_ = fmt::format("line {} is damaged: {}", number, error.what());
  }
}

void ObjectFile::read_line(const json::Value& line) {
  const int frame = json_lines::frame_number(line);
  if (line.find("objects")) {
    std::vector<Object> table;
    for (const json::Value& entry : json_lines::member(line, "objects", json::Type::array).items)
      table.push_back(read_object(entry));
    tables_[frame] = std::move(table);
  } else {
    topology_.push_back({frame, static_cast<std::size_t>(whole_number(line, "object")),
                         read_ids<2>(line, "edges"), read_ids<3>(line, "triangles")});
  }
}

std::vector<Object> ObjectFile::at(int frame) const {
  const auto after = tables_.upper_bound(frame);
  if (after == tables_.begin()) {
    if (!damage_.empty()) fail(frame, "table of objects");
    return {};
  }
  std::vector<Object> objects = std::prev(after)->second;
  for (const Topology& topology : topology_) {
    if (topology.frame > frame || topology.object >= objects.size()) continue;
    objects[topology.object].edges = topology.edges;
    objects[topology.object].triangles = topology.triangles;
  }
  add_poses(frame, objects);
  return objects;
}

// A frame without a line has no poses, and no frame before it has any.
void ObjectFile::add_poses(int frame, std::vector<Object>& objects) const {
  const auto after = poses_.upper_bound(frame);
  const bool none_before = after == poses_.begin();
  if (none_before && !damage_.empty()) fail(frame, "poses of the objects");
  if (none_before) return;
  const auto& [last, start] = *std::prev(after);
  const std::vector<std::optional<BodyPose>> poses = read_poses(last, start);
  if (last == frame && poses.size() != objects.size())
    fail(frame, fmt::format("complete list of poses of the {} objects", objects.size()));
  for (std::size_t k = 0; k < poses.size(); ++k) {
    if (last == frame)
      objects[k].pose = poses[k];
    else if (poses[k])
      fail(frame, "poses of the objects");
  }
}

std::vector<std::optional<BodyPose>> ObjectFile::read_poses(int frame, std::uint64_t start) const {
  std::ifstream in(path_, std::ios::binary);
  std::string text;
  in.seekg(static_cast<std::streamoff>(start));
  std::getline(in, text);
  try {
    std::vector<std::optional<BodyPose>> poses;
    const json::Value line = json_lines::parse(text, object_file_name);
    for (const json::Value& entry : json_lines::member(line, "poses", json::Type::array).items)
      poses.push_back(read_pose(entry));
    return poses;
  } catch (const Error& error) {
    throw Error(ErrorKind::io, "'{}', frame {}: the line of poses is damaged: {}: {}", path_, frame,
                error.what(), "run the scene again");
  }
}

void ObjectFile::fail(int frame, const std::string& what) const {
  throw Error(ErrorKind::io, "'{}' has no {} in frame {}{}: run the scene again", path_, what,
              frame, damage_.empty() ? "" : " (" + damage_ + ")");
}

}  // namespace panta
