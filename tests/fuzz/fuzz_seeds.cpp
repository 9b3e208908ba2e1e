// fuzz_seeds FILE: writes a checkpoint, the seed that is made rather than kept as a file.
#include <cstdio>

#include "panta/core/error.h"
#include "panta/io/file.h"
#include "targets.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: fuzz_seeds FILE\n", stderr);
    return 2;
  }
  try {
    panta::write_text_file(arguments[1], panta::fuzz::example_checkpoint());
  } catch (const panta::Error& error) {
    std::fprintf(stderr, "fuzz_seeds: %s\n", error.what());
    return error.exit_code();
  }
  return 0;
}
