// Text for terminals and logs.
#pragma once

#include <string>
#include <string_view>

namespace panta {

// Replaces control characters by visible escapes ("\n", "\x1b"), so that names and values from
// files cannot move the cursor, change colours or imitate further lines of a message.
std::string visible_text(std::string_view text, bool keep_line_ends = false);

}  // namespace panta
