// The functions that the fuzzers call: each passes an input to one of the library's readers and
// uses the result. An input may be refused with an Error; any other failure (another exception, a
// sanitizer's report, a hang, a huge allocation) is a bug of the library. fuzz_main.cpp makes a
// fuzzer of each, and a test passes the files of corpus/ to them.
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

// A checkpoint of a method that fuzz_checkpoint accepts. It is generated and not stored as a file,
// because it contains structs of the method.
std::string example_checkpoint(const std::string& method);

}  // namespace panta::fuzz
