#include "panta/render/picture_record.h"

#include <filesystem>
#include <limits>
#include <optional>
#include <vector>

#include "panta/core/error_format.h"
#include "panta/core/file.h"
#include "panta/io/frame_files.h"
#include "panta/json/json_line.h"
#include "panta/render/render_run.h"

namespace panta {

namespace fs = std::filesystem;

namespace {

std::vector<double> components(const std::optional<Vec3>& point) {
  if (!point) return {};
  return {point->x, point->y, point->z};
}

JsonLine describe_camera(const CameraSetup& camera) {
  JsonLine line;
  line.add("eye", components(camera.eye));
  line.add("target", components(camera.target));
  line.add("up", components(camera.up));
  line.add("fov", camera.fov);
  line.add("azimuth", camera.azimuth);
  line.add("elevation", camera.elevation);
  line.add("zoom", camera.zoom);
  line.add("turn", camera.turn);
  line.add("aperture", camera.aperture);
  line.add("focus", components(camera.focus));
  return line;
}

std::vector<std::string> pictures_in(const std::string& folder) {
  std::vector<std::string> pictures;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const std::string name = entry.path().filename().string();
    for (const char* suffix : {".png", ".png.tmp"})
      if (frame_number(name, suffix, frame_prefix) >= 0) pictures.push_back(entry.path().string());
  }
  return pictures;
}

}  // namespace

std::string picture_settings(const Scene& scene, const RenderOptions& options) {
  const PictureOptions& pictures = options.pictures;
  JsonLine line;
  line.add("quality", quality_names[static_cast<std::size_t>(pictures.quality)]);
  line.add("style", gl_style_names[static_cast<std::size_t>(pictures.style)]);
  line.add("width", pictures.width);
  line.add("height", pictures.height);
  line.add("color", pictures.color);
  line.add("color_all", pictures.color_all ? 1 : 0);
  line.add("samples", pictures.samples);
  line.add("first", options.first);
  line.add("last", options.last == std::numeric_limits<int>::max() ? -1 : options.last);
  line.add("every", options.every);
  line.add("camera", describe_camera(scene.camera));
  return line.text() + "\n";
}

void prepare_pictures(const std::string& folder, const std::string& settings, bool overwrite) {
  make_folder(folder);
  const std::string record = folder + "/settings.json";
  const std::vector<std::string> earlier = pictures_in(folder);
  const bool same = file_exists(record) && read_binary_file(record) == settings;
  if (!earlier.empty() && !same && !overwrite)
    throw Error(ErrorKind::io,
                "'{}' contains pictures that were made with other settings (size, quality, frames, "
                "...): choose another --out or pass --overwrite",
                folder);
  if (fs::is_symlink(fs::symlink_status(folder)) && !earlier.empty())
    throw Error(ErrorKind::io,
                "'{}' is a symbolic link, and files behind it are not removed: remove the link or "
                "choose another --out",
                folder);
  for (const std::string& picture : earlier) remove_file(picture);
  write_text_file(record, settings);
}

}  // namespace panta
