// A contact sheet of a run: small labelled pictures in rows.
#pragma once

#include <string>

#include "panta/io/image.h"

namespace panta {

// Shrinks by averaging the pixels that each new pixel covers.
Image shrink(const Image& image, int width, int height);

class ContactSheet {
 public:
  // Space for `pictures` pictures with these proportions.
  ContactSheet(int pictures, int picture_width, int picture_height);

  void add(const Image& picture, const std::string& label);
  const Image& image() const { return sheet_; }

 private:
  int columns_ = 1, cell_width_ = 0, cell_height_ = 0, added_ = 0;
  Image sheet_;
};

}  // namespace panta
