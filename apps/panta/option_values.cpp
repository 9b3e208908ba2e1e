#include "option_values.h"

#include <charconv>

#include "panta/core/error_format.h"

namespace panta::app {

int whole_number(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

FrameRange read_frames(const Arguments& args) {
  FrameRange range;
  if (!args.has("--frames")) return range;
  const std::string text = args.text("--frames");
  const std::size_t colon = text.find(':');
  const std::string from = text.substr(0, colon);
  const std::string to = colon == std::string::npos ? from : text.substr(colon + 1);
  if (!from.empty()) range.first = whole_number(from);
  if (!to.empty()) range.last = whole_number(to);
  if (text.empty() || range.first < 0 || range.last < range.first)
    throw Error(ErrorKind::usage, "--frames: '{}' is not FIRST:LAST, e.g. 0:120", text);
  return range;
}

}  // namespace panta::app
