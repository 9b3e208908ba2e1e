#include "panta/core/visible_text.h"

#include <fmt/core.h>

namespace panta {

std::string visible_text(std::string_view text, bool keep_line_ends) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = static_cast<unsigned char>(k + 1 < text.size() ? text[k + 1] : 0);
    // UTF-8 of the control characters U+0080 to U+009F, which some terminals obey, too.
    const bool is_c1 = byte == 0xc2 && next >= 0x80 && next <= 0x9f;
    if (byte == '\n' && keep_line_ends)
      shown += '\n';
    else if (byte == '\n')
      shown += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      shown += fmt::format("\\x{:02x}", byte);
    else if (is_c1)
      shown += fmt::format("\\x{:02x}", text[++k] & 0xff);
    else
      shown += text[k];
  }
  return shown;
}

}  // namespace panta
