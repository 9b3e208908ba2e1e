#include "panta/core/log.h"

#include "panta/core/visible_text.h"

namespace panta {

void Log::write(LogLevel level, const char* prefix, const std::string& text) const {
  if (level <= level_) std::fprintf(stream_, "%s%s\n", prefix, visible_text(text).c_str());
}

}  // namespace panta
