// Turns the function PANTA_FUZZ_TARGET, which the build defines, into a fuzzer.
#include <cstddef>
#include <cstdint>

#include "panta/core/error.h"
#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    panta::fuzz::PANTA_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  } catch (const panta::Error&) {
    // Refused with a message, as expected.
  }
  return 0;
}
