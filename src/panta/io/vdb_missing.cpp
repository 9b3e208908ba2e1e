// Replacement of io/vdb.cpp in a build without OpenVDB.
#include "panta/core/error_format.h"
#include "panta/io/vdb.h"

namespace panta {

std::string openvdb_version(std::string* missing) {
  if (missing)
    *missing =
        "built without OpenVDB: install libopenvdb-dev libtbb-dev libboost-dev "
        "libboost-iostreams-dev and build again";
  return "";
}

void write_vdb(const std::string& path, const LiquidVolume&, const VolumeGrids&, int) {
  std::string missing;
  openvdb_version(&missing);
  throw Error(ErrorKind::usage, "cannot write '{}': {}", path, missing);
}

}  // namespace panta
