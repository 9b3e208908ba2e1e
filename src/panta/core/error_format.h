// Errors with a formatted text: include this where Error gets a format string with arguments, as in
// Error(ErrorKind::io, "cannot open '{}'", path). The format is checked at compile time.
#pragma once

#include <fmt/core.h>

#include <concepts>
#include <utility>

#include "panta/core/error.h"

namespace panta {

template <class... Args>
struct ErrorFormat {
  template <std::convertible_to<fmt::string_view> Text>
  consteval ErrorFormat(const Text& text) : checked(text) {}
  fmt::format_string<Args...> checked;
};

template <class First, class... Rest>
Error::Error(ErrorKind kind, std::type_identity_t<ErrorFormat<First, Rest...>> format,
             First&& first, Rest&&... rest)
    : Error(kind,
            fmt::format(format.checked, std::forward<First>(first), std::forward<Rest>(rest)...)) {}

}  // namespace panta
