// surface.json beside the surfaces of a run: their options, the frames that are done, and data of
// the run for other programs (frames per second, times, appearance of the liquids).
//
// A frame is done if it is listed, its files exist and its particle file has not changed. The
// record is replaced atomically after every frame.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "panta/io/frame_files.h"
#include "panta/json/json.h"

namespace panta {

struct SurfaceFrame {
  double time = 0;      // s
  double bytes = 0;     // size of the particle file
  double modified = 0;  // s, time of its last change
  double particles = 0, triangles = 0;
};

class SurfaceRecord {
 public:
  // The record of the surfaces in `folder` that are made with `options`, a JSON object. Frames of
  // an earlier record are kept; if they were made with other options and not `overwrite`,
  // Error(io).
  SurfaceRecord(const std::string& folder, json::Value options, bool overwrite);

  static SurfaceFrame describe(const FrameFile& source);  // bytes and modified

  // Whether the surfaces of a particle file are listed and the file has not changed since.
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
