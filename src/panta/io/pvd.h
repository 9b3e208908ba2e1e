// A ParaView collection (.pvd): the files of a time series with their times.
#pragma once

#include <string>
#include <vector>

namespace panta {

struct PvdEntry {
  double time = 0;
  std::string file;  // relative to the collection's folder
  int part = 0;      // tells files of the same time apart
};

// Replaces the collection in one go, so that a run killed at any instant leaves one that opens.
void write_pvd(const std::string& path, const std::vector<PvdEntry>& entries);

}  // namespace panta
