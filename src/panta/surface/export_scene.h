// What a program that imports surfaces needs besides them, in surface.json: the run's frames per
// second, how its liquids look, and the bodies with their motion as meshes in a folder `solids`.
#pragma once

#include <functional>
#include <string>

#include "panta/io/body_file.h"
#include "panta/scene/scene.h"
#include "panta/surface/surface_record.h"

namespace panta {

// A material's name with everything that does not belong into a file's name replaced.
std::string file_name_of(const std::string& name);

// `several`: files of frames have the liquid's name in theirs. What cannot be meshed is left out
// with a warning.
// `free`: where the free bodies were; null where there are none.
void describe_scene(SurfaceRecord& record, const Scene& scene, const BodyFile* free,
                    const std::string& folder, bool several,
                    const std::function<void(const std::string&)>& warning);

}  // namespace panta
