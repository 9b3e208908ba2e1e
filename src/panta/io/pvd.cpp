#include "panta/io/pvd.h"

#include <fmt/format.h>

#include "panta/core/file.h"
#include "panta/io/xml.h"

namespace panta {

void write_pvd(const std::string& path, const std::vector<PvdEntry>& entries) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const PvdEntry& entry : entries)
    text += fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"{}\" file=\"{}\"/>\n",
                        entry.time, entry.part, xml_escape(entry.file));
  text += "</Collection>\n</VTKFile>\n";
  write_text_file(path, text);
}

}  // namespace panta
