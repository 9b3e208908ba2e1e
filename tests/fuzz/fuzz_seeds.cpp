// fuzz_seeds FOLDER: writes a checkpoint of each method, which are generated and not stored in the
// corpus.
#include <cstdio>

#include "panta/core/error.h"
#include "panta/core/file.h"
#include "panta/engine/methods.h"
#include "panta/engine/simulation.h"
#include "targets.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: fuzz_seeds FOLDER\n", stderr);
    return 2;
  }
  try {
    for (const panta::MethodInfo& method : panta::methods())
      panta::write_text_file(std::string(arguments[1]) + "/" + method.name,
                             panta::fuzz::example_checkpoint(method.name));
  } catch (const panta::Error& error) {
    std::fprintf(stderr, "fuzz_seeds: %s\n", error.what());
    return error.exit_code();
  }
  return 0;
}
