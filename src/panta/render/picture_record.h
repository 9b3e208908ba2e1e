// The settings of the pictures in a folder: pictures of different settings are never mixed.
#pragma once

#include <string>

namespace panta {

struct RenderOptions;
struct Scene;

// All settings on which the pictures depend, as one line of JSON.
std::string picture_settings(const Scene& scene, const RenderOptions& options);

// Makes `folder` ready for pictures with these settings: removes earlier ones and records the
// settings in `settings.json`. Error(io) if it contains pictures of other settings, unless
// `overwrite`.
void prepare_pictures(const std::string& folder, const std::string& settings, bool overwrite);

}  // namespace panta
