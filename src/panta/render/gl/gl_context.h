// OpenGL without a window: a context on the GPU if a driver provides one, else in software.
#pragma once

#include <string>

namespace panta {

// Current on the thread that created it until destroyed. Error(device) if none can be created.
class GlContext {
 public:
  GlContext();
  ~GlContext();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  const std::string& renderer() const { return renderer_; }
  bool software() const;

  // Makes it current again after another context was.
  void use() const;

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
  std::string renderer_;
};

}  // namespace panta
