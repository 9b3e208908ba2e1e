#include "panta/surface/surface_record.h"

#include <chrono>
#include <filesystem>

#include "panta/core/error_format.h"
#include "panta/core/file.h"

namespace panta {

namespace {

double number_of(const json::Value& object, const char* key) {
  const json::Value* value = object.find(key);
  return value && value->type == json::Type::number ? value->number : -1;
}

std::map<int, SurfaceFrame> read_frames(const json::Value& record) {
  std::map<int, SurfaceFrame> frames;
  const json::Value* list = record.find("frames");
  if (!list) return frames;
  for (const json::Value& entry : list->items)
    frames[static_cast<int>(number_of(entry, "frame"))] = {
        number_of(entry, "time"), number_of(entry, "bytes"), number_of(entry, "modified"),
        number_of(entry, "particles"), number_of(entry, "triangles")};
  return frames;
}

// Describes the first option that differs; empty if there is none.
std::string difference(const json::Value& earlier, const json::Value& now) {
  const auto value_of = [](const json::Value& options, const std::string& key) {
    const json::Value* value = options.find(key);
    const std::string text = value ? json::dump(*value) : "not set";
    return text.substr(0, text.find_last_not_of('\n') + 1);
  };
  for (const json::Value* options : {&now, &earlier})
    for (const json::Member& member : options->members) {
      const std::string was = value_of(earlier, member.key);
      if (was != value_of(now, member.key)) return fmt::format("{} was {}", member.key, was);
    }
  return "";
}

json::Value entry_of(int frame, const SurfaceFrame& figures) {
  json::Value entry = json::Value::object();
  entry.add("frame", json::Value(double(frame)));
  entry.add("time", json::Value(figures.time));
  entry.add("bytes", json::Value(figures.bytes));
  entry.add("modified", json::Value(figures.modified));
  entry.add("particles", json::Value(figures.particles));
  entry.add("triangles", json::Value(figures.triangles));
  return entry;
}

}  // namespace

SurfaceRecord::SurfaceRecord(const std::string& folder, json::Value options, bool overwrite)
    : path_(folder + "/surface.json"), options_(std::move(options)) {
  if (overwrite || !file_exists(path_)) return;
  json::Value earlier;
  try {
    earlier = json::parse(read_binary_file(path_), path_);
  } catch (const Error& error) {
    throw Error(ErrorKind::io, "{}; pass --overwrite to make all surfaces again", error.what());
  }
  const json::Value* made_with = earlier.find("options");
  const std::string differs = difference(made_with ? *made_with : json::Value::object(), options_);
  if (!differs.empty())
    throw Error(ErrorKind::io,
                "'{}' contains surfaces made with other options ({}): pass --overwrite to replace "
                "them, or choose another --out",
                folder, differs);
  frames_ = read_frames(earlier);
}

SurfaceFrame SurfaceRecord::describe(const FrameFile& source) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  SurfaceFrame figures;
  figures.bytes = static_cast<double>(fs::file_size(source.path, unknown));
  const auto written = fs::last_write_time(source.path, unknown).time_since_epoch();
  figures.modified = std::chrono::duration<double>(written).count();
  return figures;
}

bool SurfaceRecord::is_done(const FrameFile& source) const {
  const auto found = frames_.find(source.frame);
  if (found == frames_.end()) return false;
  const SurfaceFrame now = describe(source);
  return now.bytes == found->second.bytes && now.modified == found->second.modified;
}

void SurfaceRecord::set(const std::string& key, json::Value value) {
  other_.push_back({key, {}, std::move(value)});
}

void SurfaceRecord::write() const {
  json::Value record = json::Value::object();
  record.add("options", options_);
  for (const json::Member& member : other_) record.add(member.key, member.value);
  std::vector<json::Value> frames;
  for (const auto& [frame, figures] : frames_) frames.push_back(entry_of(frame, figures));
  record.add("frames", json::Value::array(std::move(frames)));
  write_text_file(path_, json::dump(record));
}

}  // namespace panta
