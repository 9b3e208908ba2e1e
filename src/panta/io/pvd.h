// A ParaView collection (.pvd): the files of a time series with their times.
#pragma once

#include <string>
#include <vector>

namespace panta {

struct PvdEntry {
  double time = 0;
  std::string file;  // relative to the collection's folder
  int part = 0;      // distinguishes files of the same time
};

// Replaces the collection atomically, so that a run killed at any time leaves a valid one.
void write_pvd(const std::string& path, const std::vector<PvdEntry>& entries);

}  // namespace panta
