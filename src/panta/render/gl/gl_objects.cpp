#include "panta/render/gl/gl_objects.h"

#include <array>

#include "panta/core/error_format.h"
#include "panta/render/gl/shader_text.h"

namespace panta {

namespace {

GLuint compile(GLenum kind, const std::string& name) {
  const GLuint shader = glCreateShader(kind);
  const std::array<const char*, 2> parts = {shader_text("common"), shader_text(name)};
  glShaderSource(shader, static_cast<GLsizei>(parts.size()), parts.data(), nullptr);
  glCompileShader(shader);
  GLint done = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (done == GL_TRUE) return shader;
  std::array<char, 2048> log{};
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
  glDeleteShader(shader);
  throw Error(ErrorKind::device, "OpenGL does not accept the shader {}: {}", name, log.data());
}

GLuint link(const std::string& vertex, const std::string& fragment) {
  const GLuint first = compile(GL_VERTEX_SHADER, vertex);
  const GLuint second = compile(GL_FRAGMENT_SHADER, fragment);
  const GLuint program = glCreateProgram();
  glAttachShader(program, first);
  glAttachShader(program, second);
  glLinkProgram(program);
  glDeleteShader(first);
  glDeleteShader(second);
  GLint done = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &done);
  if (done == GL_TRUE) return program;
  std::array<char, 2048> log{};
  glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
  glDeleteProgram(program);
  throw Error(ErrorKind::device, "OpenGL does not link the shaders {} and {}: {}", vertex, fragment,
              log.data());
}

template <void (*Create)(GLsizei, GLuint*)>
GLuint created() {
  GLuint name = 0;
  Create(1, &name);
  return name;
}

}  // namespace

GlProgram::GlProgram(const std::string& vertex, const std::string& fragment)
    : handle_(link(vertex, fragment)) {}

GlTexture::GlTexture(int width, int height, GLenum format) : width_(width), height_(height) {
  GLuint name = 0;
  glCreateTextures(GL_TEXTURE_2D, 1, &name);
  handle_ = GlHandle<detail::free_texture>(name);
  glTextureStorage2D(name, 1, format, width, height);
  for (const GLenum parameter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTextureParameteri(name, parameter, GL_LINEAR);
  for (const GLenum parameter : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTextureParameteri(name, parameter, GL_CLAMP_TO_EDGE);
}

std::vector<float> GlTexture::read(int channels) const {
  constexpr std::array<GLenum, 5> formats = {0, GL_RED, GL_RG, GL_RGB, GL_RGBA};
  std::vector<float> values(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) *
                            static_cast<std::size_t>(channels));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glGetTextureImage(name(), 0, formats[static_cast<std::size_t>(channels)], GL_FLOAT,
                    static_cast<GLsizei>(values.size() * sizeof(float)), values.data());
  return values;
}

GlTarget::GlTarget(std::initializer_list<const GlTexture*> colors, const GlTexture* depth)
    : handle_(created<glCreateFramebuffers>()) {
  std::vector<GLenum> buffers;
  for (const GlTexture* color : colors) {
    buffers.push_back(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(buffers.size()));
    glNamedFramebufferTexture(name(), buffers.back(), color->name(), 0);
  }
  glNamedFramebufferDrawBuffers(name(), static_cast<GLsizei>(buffers.size()), buffers.data());
  if (depth) glNamedFramebufferTexture(name(), GL_DEPTH_ATTACHMENT, depth->name(), 0);
  const GlTexture& any = colors.size() > 0 ? **colors.begin() : *depth;
  width_ = any.width();
  height_ = any.height();
  if (glCheckNamedFramebufferStatus(name(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw Error(ErrorKind::device,
                "OpenGL cannot draw pictures of {} x {} pixels: choose a smaller --size", width_,
                height_);
}

void GlTarget::use() const {
  glBindFramebuffer(GL_FRAMEBUFFER, name());
  glViewport(0, 0, width_, height_);
}

GlVertices::GlVertices() : array_(created<glCreateVertexArrays>()) {}

void GlVertices::store(GLuint location, int size, const void* data, std::size_t bytes) {
  while (buffers_.size() <= location) buffers_.emplace_back();
  buffers_[location] = GlHandle<detail::free_buffer>(created<glCreateBuffers>());
  const GLuint buffer = buffers_[location].name(), array = array_.name();
  glNamedBufferData(buffer, static_cast<GLsizeiptr>(bytes), data, GL_STATIC_DRAW);
  glVertexArrayVertexBuffer(array, location, buffer, 0, size * static_cast<GLsizei>(sizeof(float)));
  glVertexArrayAttribFormat(array, location, size, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(array, location, location);
  glEnableVertexArrayAttrib(array, location);
}

void GlVertices::indices(const void* data, std::size_t triangles) {
  buffers_.emplace_back(created<glCreateBuffers>());
  glNamedBufferData(buffers_.back().name(), static_cast<GLsizeiptr>(triangles * 3 * sizeof(GLuint)),
                    data, GL_STATIC_DRAW);
  glVertexArrayElementBuffer(array_.name(), buffers_.back().name());
  index_count_ = static_cast<GLsizei>(3 * triangles);
}

void GlVertices::per_instance(GLuint location) const {
  glVertexArrayBindingDivisor(array_.name(), location, 1);
}

void GlVertices::draw_points() const {
  bind();
  glDrawArrays(GL_POINTS, 0, count_);
}

void GlVertices::draw_triangles() const {
  bind();
  glDrawElements(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr);
}

void GlVertices::draw_strips(GLsizei instances) const {
  bind();
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, instances);
}

void check_gl(const char* doing) {
  const GLenum error = glGetError();
  if (error == GL_NO_ERROR) return;
  const bool memory = error == GL_OUT_OF_MEMORY;
  throw Error(ErrorKind::device, "OpenGL failed while {}: {}", doing,
              memory ? std::string("out of memory, choose a smaller --size")
                     : fmt::format("error {:#x}", error));
}

}  // namespace panta
