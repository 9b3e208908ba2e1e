// Checkpoints: all data needed to resume a run, in one file. Little endian throughout; a text is
// its length (u32) and its bytes.
//
//   magic             8 bytes "PANTACKP"
//   format version    u32
//   version           text, of the program that wrote it
//   file size         u64, bytes
//   method, scene key, device   texts
//   frame i32, time f64, steps u64, particles u64
//   number of sections u32, and for each: name (text), element size u32, count u64, checksum u32
//   checksum          u32, of all the bytes above
//   the sections' bytes, one after the other
//
// Checksums are the CRC-32 of zlib. The first three entries keep their place in every format
// version, so that every program can report the version that wrote a file that it cannot read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "panta/core/state.h"

namespace panta {

inline constexpr std::uint32_t checkpoint_format = 2;

struct CheckpointInfo {
  std::string version;    // of the program
  std::string method;     // scene name of the method
  std::string scene_key;  // must be equal for a run to be resumed (run/resume.h)
  std::string device;
  int frame = 0;  // the last one finished
  double time = 0;
  std::uint64_t steps = 0;
  std::size_t particles = 0;
};

struct Checkpoint {
  CheckpointInfo info;
  State state;
};

// Replaces the file atomically and waits for the disk.
void write_checkpoint(const std::string& path, const CheckpointInfo& info, const State& state);

// Error(io) for a file that is not a checkpoint, truncated, damaged or of another format version.
Checkpoint read_checkpoint(const std::string& path);

// The same from a file's content; `name` is for messages.
Checkpoint parse_checkpoint(std::string_view content, const std::string& name);

}  // namespace panta
