// The message of the error that an action throws.
#pragma once

#include <functional>
#include <string>

#include "panta/core/error.h"

namespace panta {

inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace panta
