// The results of validation studies as a Markdown page (docs/validation.md).
#pragma once

#include <string>
#include <vector>

#include "panta/validation/study.h"

namespace panta::app {

struct StudyOnDevice {
  StudyResult result;
  std::string device;
  std::vector<std::string> plots;  // files
};

// Results of the same study are adjacent. Links to plots are relative to the page's folder.
std::string validation_page(const std::vector<StudyOnDevice>& results, const std::string& folder);

}  // namespace panta::app
