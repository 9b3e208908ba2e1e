// OpenGL without a window: a context on the GPU where a driver offers one, else in software.
#pragma once

#include <string>

namespace panta {

// Current on the thread that made it until it goes. Error(device) where none can be started.
class GlContext {
 public:
  GlContext();
  ~GlContext();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  const std::string& renderer() const { return renderer_; }
  bool software() const;

  // Makes it current again, after another one was.
  void use() const;

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
  std::string renderer_;
};

}  // namespace panta
