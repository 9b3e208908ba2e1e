// What the fuzzers call: each function gives an input to one of the library's readers and uses the
// result. An input may be refused with an Error; whatever else happens (another exception, a
// sanitizer's report, a hang, a huge allocation) is a bug of the library. fuzz_main.cpp makes a
// fuzzer of each, and a test feeds them the files of corpus/.
#pragma once

#include <string>
#include <string_view>

namespace panta::fuzz {

void fuzz_checkpoint(std::string_view content);
void fuzz_expression(std::string_view text);
void fuzz_obj(std::string_view content);
void fuzz_ply(std::string_view content);
void fuzz_scene(std::string_view text);
void fuzz_stl(std::string_view content);

// A checkpoint of a method that fuzz_checkpoint accepts. It is made rather than kept as a file
// because it holds structs of the method.
std::string example_checkpoint(const std::string& method);

}  // namespace panta::fuzz
