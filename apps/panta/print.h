// Output of the command to its standard streams. Control characters in printed text are escaped
// here, because names and values may come from files of others. Messages that cannot be written are
// lost: a full disk below a log must not end a simulation. main() calls check_output() at the end.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "panta/core/visible_text.h"

namespace panta::app {

// Opens closed standard streams on /dev/null for reading, so that no result file gets the number of
// one and receives its text, and makes writes to closed pipes and beyond limits fail with an error
// instead of a signal.
void protect_streams();

// Throws Error(io) if the standard output could not be written completely.
void check_output();

// A finished text of one or more lines.
void print_lines(std::FILE* stream, const std::string& text);

template <class T>
constexpr bool is_text = std::is_convertible_v<const T&, std::string_view>;

template <class T>
using Shown = std::conditional_t<is_text<T>, std::string, T>;

template <class T>
decltype(auto) shown(const T& value) {
  if constexpr (is_text<T>)
    return visible_text(value);
  else
    return (value);
}

// As fmt::print. Arguments that are text stay on their line.
template <class... Args>
void print(std::FILE* stream, fmt::format_string<const Shown<Args>&...> format,
           const Args&... args) {
  const auto formatted = [&](const auto&... values) {
    return fmt::vformat(fmt::string_view(format), fmt::make_format_args(values...));
  };
  print_lines(stream, formatted(shown(args)...));
}

}  // namespace panta::app
