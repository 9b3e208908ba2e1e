#include "panta/render/gl/gl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <string_view>
#include <vector>

#include "panta/core/error_format.h"
#include "panta/render/gl/gl_api.h"

namespace panta {

namespace {

constexpr const char* remedy =
    "install a driver (Debian, Ubuntu: libegl1 and libgl1-mesa-dri) or use --quality draft";

bool has_extension(EGLDisplay display, std::string_view name) {
  const char* all = eglQueryString(display, EGL_EXTENSIONS);
  return all && std::string_view(all).find(name) != std::string_view::npos;
}

// Displays that may give a context without a window: each GPU, then Mesa.
std::vector<EGLDisplay> candidates() {
  const auto platform_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const auto query_devices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  std::vector<EGLDisplay> displays;
  if (!platform_display) return displays;
  if (query_devices && has_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) {
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count))
      for (EGLint k = 0; k < count; ++k)
        displays.push_back(platform_display(EGL_PLATFORM_DEVICE_EXT,
                                            devices[static_cast<std::size_t>(k)], nullptr));
  }
  if (has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    displays.push_back(
        platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  return displays;
}

EGLContext make_context(EGLDisplay display) {
  constexpr std::array<EGLint, 7> wanted = {EGL_CONTEXT_MAJOR_VERSION,
                                            4,
                                            EGL_CONTEXT_MINOR_VERSION,
                                            5,
                                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                            EGL_NONE};
  if (!eglBindAPI(EGL_OPENGL_API) || !has_extension(display, "EGL_KHR_surfaceless_context"))
    return EGL_NO_CONTEXT;
  return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted.data());
}

}  // namespace

GlContext::GlContext() {
  for (const EGLDisplay display : candidates()) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) continue;
    const EGLContext context = make_context(display);
    if (context == EGL_NO_CONTEXT) continue;
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      display_ = display;
      context_ = context;
      renderer_ = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
      return;
    }
    eglDestroyContext(display, context);
  }
  throw Error(ErrorKind::device, "no OpenGL: EGL offers no OpenGL 4.5 without a window; {}",
              remedy);
}

// The display is not terminated: EGL shares it between all its users.
GlContext::~GlContext() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
}

bool GlContext::software() const {
  return renderer_.find("llvmpipe") != std::string::npos ||
         renderer_.find("softpipe") != std::string::npos;
}

void GlContext::use() const {
  if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
    throw Error(ErrorKind::device, "no OpenGL: the context was lost; {}", remedy);
}

}  // namespace panta
