// Keys of a scene file for its pictures.
#include "panta/io/surface_file.h"
#include "panta/load/load_parts.h"

namespace panta {
namespace {

constexpr double farthest = 1e9;  // m; squares of such distances are finite floats

void read_point(ObjectReader& reader, const char* key, const char* doc,
                std::optional<Vec3>& point) {
  Vec3 given;
  if (reader.if_given(key, given, Vector{Vector::Kind::axis, "m", farthest}, doc)) point = given;
}

}  // namespace

void read_color(ObjectReader& reader, std::optional<Vec3>& color) {
  Vec3 given;
  if (!reader.if_given("color", given, Vector{Vector::Kind::axis, "sRGB"},
                       "in pictures: red, green and blue from 0 to 1; absent: automatic"))
    return;
  for (int k = 0; k < 3; ++k)
    reader.expect(given[k] >= 0 && given[k] <= 1, "color",
                  "must be three numbers from 0 to 1, got {}", given[k]);
  color = given;
}

void read_camera(ObjectReader& root, CameraSetup& camera) {
  root.section(
      "camera", {"camera", "the camera of the pictures; absent: it shows the whole run"},
      [&](ObjectReader& reader) {
        read_point(reader, "eye", "position of the camera", camera.eye);
        read_point(reader, "target", "the point it looks at", camera.target);
        reader.optional("up", camera.up, Vector{Vector::Kind::axis, "", farthest},
                        "the upward direction in the picture");
        reader.optional("fov", camera.fov, Number{"degrees", 1, 120}, "vertical angle of view");
        reader.optional("azimuth", camera.azimuth, Number{"degrees", -360, 360},
                        "without eye: 0 looks along -z, 90 along -x");
        reader.optional("elevation", camera.elevation, Number{"degrees", -89, 89},
                        "without eye: angle above the horizon");
        reader.optional("zoom", camera.zoom, Number{"", 1e-3, 1e3},
                        "without eye: 1 shows all, 2 half of it");
        reader.optional("turn", camera.turn, Number{"degrees/s", -1e6, 1e6},
                        "rotation around the target (turntable)");
        reader.optional("aperture", camera.aperture, Number{"m", 0, 1e6},
                        "diameter of the lens in final pictures; 0: everything is sharp");
        read_point(reader, "focus", "the point that is sharp; absent: the target", camera.focus);
        reader.expect(!camera.eye || camera.target, "eye", "needs a target to look at");
        reader.expect(length(camera.up) > 0, "up", "must not be zero");
      });
}

void read_pictures_of_run(ObjectReader& output, Scene& scene) {
  output.object("surface",
                {"surface_output",
                 "makes surface meshes when the run is done; pictures show the same surface"},
                [&](ObjectReader& reader) {
                  SurfaceOutput& surface = scene.surface_output.emplace();
                  reader.optional("method", surface.method, Choice{surface_method_names},
                                  "method of surface reconstruction");
                  reader.optional("cell", surface.cell, Number{"spacings", 0.15, 4},
                                  "between the points of its lattice");
                  reader.optional("smooth", surface.smooth, not_negative(), "passes of smoothing");
                  reader.optional("format", surface.format, surface_formats(), "of the files");
                });
  output.object(
      "images", {"image_output", "draws pictures and a video when the run is done"},
      [&](ObjectReader& reader) {
        ImageOutput& images = scene.image_output.emplace();
        reader.optional("quality", images.quality, Choice{quality_names},
                        "particles on the CPU, OpenGL, or path tracing");
        reader.optional("width", images.width, Number{"pixels", 1, 16384}, "of a picture");
        reader.optional("height", images.height, Number{"pixels", 1, 16384}, "of a picture");
        reader.optional("every", images.every, Number{"frames", 1}, "draws every n-th frame");
        reader.optional("samples", images.samples, Number{"", 1, 1e6},
                        "per pixel of a final picture");
      });
}

}  // namespace panta
