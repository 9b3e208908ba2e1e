// Models: parametrised shapes in separate files.
#pragma once

#include "panta/load/object_reader.h"

namespace panta {

// Replaces {"model": "glass", "parameters": {"height": 0.2}, …} by the shape in models/glass.json,
// evaluated with these values for its variables; other keys (transforms) remain. Other shapes are
// not changed. Models are searched in the "models" folder beside the file that names one, beside
// its parent folders, and among the bundled scenes. Their number in a scene is limited.
void expand_model(json::Value& shape, ReadContext& context);

// Declares the keys of a model shape for the description.
void declare_model(ObjectReader& reader);

}  // namespace panta
