// The columns that particles of every method have.
#pragma once

#include <vector>

#include "panta/particles/column.h"
#include "panta/scene/scene.h"

namespace panta {

// Those that the scene needs at the start; null: all that a scene may need. The columns `mass` and
// `force` are added when a program first writes them.
std::vector<ColumnInfo> common_columns(const Scene* scene);

}  // namespace panta
