// Models: shapes in files of their own, made of the other shapes, with parameters.
#pragma once

#include "panta/load/object_reader.h"

namespace panta {

// Replaces {"model": "glass", "parameters": {"height": 0.2}, …} by the shape in models/glass.json,
// evaluated with these values for its variables; other keys (transforms) stay. A shape that is no
// model is left alone. Models are looked for in the "models" folder beside the file that names one,
// beside its parent folders, and among the bundled scenes.
void expand_model(json::Value& shape);

// The keys of a shape that is a model, for the description.
void declare_model(ObjectReader& reader);

}  // namespace panta
