// OpenGL objects with RAII.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "panta/core/vec.h"
#include "panta/render/gl/gl_api.h"

namespace panta {

// Owns the name of an object, which `Free` frees.
template <void (*Free)(GLuint)>
class GlHandle {
 public:
  GlHandle() = default;
  explicit GlHandle(GLuint name) : name_(name) {}
  GlHandle(GlHandle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlHandle& operator=(GlHandle&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlHandle() {
    if (name_ != 0) Free(name_);
  }
  GLuint name() const { return name_; }

 private:
  GLuint name_ = 0;
};

namespace detail {
inline void free_program(GLuint name) { glDeleteProgram(name); }
inline void free_buffer(GLuint name) { glDeleteBuffers(1, &name); }
inline void free_texture(GLuint name) { glDeleteTextures(1, &name); }
inline void free_framebuffer(GLuint name) { glDeleteFramebuffers(1, &name); }
inline void free_vertex_array(GLuint name) { glDeleteVertexArrays(1, &name); }
}  // namespace detail

// A vertex and a fragment shader; both begin with shaders/common.glsl.
class GlProgram {
 public:
  GlProgram(const std::string& vertex, const std::string& fragment);

  void use() const { glUseProgram(handle_.name()); }
  void set(const char* name, float value) const { glProgramUniform1f(id(), at(name), value); }
  void set(const char* name, int value) const { glProgramUniform1i(id(), at(name), value); }
  void set(const char* name, bool value) const { set(name, value ? 1 : 0); }
  void set(const char* name, float x, float y) const { glProgramUniform2f(id(), at(name), x, y); }
  void set(const char* name, const Vec3& v) const {
    glProgramUniform3f(id(), at(name), v.x, v.y, v.z);
  }
  void set(const char* name, const Vec4& v) const {
    glProgramUniform4f(id(), at(name), v.x, v.y, v.z, v.w);
  }
  void set(const char* name, const Mat3& m) const {
    glProgramUniformMatrix3fv(id(), at(name), 1, GL_TRUE, &m.row[0].x);
  }

 private:
  GLuint id() const { return handle_.name(); }
  GLint at(const char* name) const { return glGetUniformLocation(id(), name); }

  GlHandle<detail::free_program> handle_;
};

// A texture that can be rendered to and read with texelFetch or with linear interpolation.
class GlTexture {
 public:
  GlTexture() = default;
  GlTexture(int width, int height, GLenum format);

  int width() const { return width_; }
  int height() const { return height_; }
  GLuint name() const { return handle_.name(); }
  void bind(GLuint unit) const { glBindTextureUnit(unit, handle_.name()); }

  // All values, rows from bottom to top; `channels` per pixel.
  std::vector<float> read(int channels) const;

 private:
  GlHandle<detail::free_texture> handle_;
  int width_ = 0, height_ = 0;
};

// Textures that are rendered to together, with or without a depth buffer.
class GlTarget {
 public:
  GlTarget() = default;
  GlTarget(std::initializer_list<const GlTexture*> colors, const GlTexture* depth = nullptr);

  void use() const;
  void clear(int color, const Vec4& value) const {
    glClearNamedFramebufferfv(handle_.name(), GL_COLOR, color, &value.x);
  }
  void clear_depth(float value) const {
    glClearNamedFramebufferfv(handle_.name(), GL_DEPTH, 0, &value);
  }
  GLuint name() const { return handle_.name(); }

 private:
  GlHandle<detail::free_framebuffer> handle_;
  int width_ = 0, height_ = 0;
};

// Vertices, one array per attribute, in the order of the shader's locations; a missing attribute is
// zero.
class GlVertices {
 public:
  GlVertices();

  void attribute(GLuint location, std::span<const Vec3> values) {
    store(location, 3, values.data(), values.size_bytes());
    count_ = static_cast<GLsizei>(values.size());
  }
  void attribute(GLuint location, std::span<const float> values) {
    store(location, 1, values.data(), values.size_bytes());
  }
  void indices(const void* data, std::size_t triangles);

  void bind() const { glBindVertexArray(array_.name()); }
  void draw_points() const;
  void draw_triangles() const;
  void draw_strips(GLsizei instances) const;  // four corners and per-instance attributes
  void per_instance(GLuint location) const;

 private:
  void store(GLuint location, int size, const void* data, std::size_t bytes);

  GlHandle<detail::free_vertex_array> array_;
  std::vector<GlHandle<detail::free_buffer>> buffers_;
  GLsizei count_ = 0, index_count_ = 0;
};

// A fragment shader for every pixel of the target.
class GlFullscreen : public GlProgram {
 public:
  explicit GlFullscreen(const std::string& fragment) : GlProgram("fullscreen_vertex", fragment) {}
  void draw() const {
    no_vertices_.bind();
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }

 private:
  GlVertices no_vertices_;  // the vertex shader computes the positions
};

// Error(device) if OpenGL reports an error.
void check_gl(const char* doing);

}  // namespace panta
