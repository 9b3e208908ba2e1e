// surface.json beside the surfaces of a run: what they were made with, which frames are done, and
// what other programs want to know of the run (frames per second, times, how the liquids look).
//
// A frame counts as done if it is listed, its files are there and the particle file it was made
// from is the one of then. The record is replaced whole after every frame.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "panta/io/output.h"
#include "panta/json/json.h"

namespace panta {

struct SurfaceFrame {
  double time = 0;      // s
  double bytes = 0;     // of the particle file ...
  double modified = 0;  // ... and when it was last written, s
  double particles = 0, triangles = 0;
};

class SurfaceRecord {
 public:
  // Of the surfaces in `folder` that are made with `options`, a JSON object. Frames of an earlier
  // record are taken over; where they were made with other options and not `overwrite`, Error(io).
  SurfaceRecord(const std::string& folder, json::Value options, bool overwrite);

  static SurfaceFrame describe(const FrameFile& source);  // bytes and modified

  // Whether the surfaces of a particle file are listed, made from what it is now.
  bool is_done(const FrameFile& source) const;

  void set(const std::string& key, json::Value value);
  void add(int frame, const SurfaceFrame& figures) { frames_[frame] = figures; }
  const std::map<int, SurfaceFrame>& frames() const { return frames_; }
  void write() const;

 private:
  std::string path_;
  json::Value options_;
  std::vector<json::Member> other_;
  std::map<int, SurfaceFrame> frames_;
};

}  // namespace panta
