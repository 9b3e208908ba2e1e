// The shaders of this folder, embedded by the build.
#pragma once

#include <string>

namespace panta {

// The text of shaders/NAME.glsl.
const char* shader_text(const std::string& name);

}  // namespace panta
