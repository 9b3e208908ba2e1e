# cmake -DOUTPUT=FILE -DSHADERS=LIST -P EmbedShaders.cmake: a C++ file with the text of each shader.
set(entries "")
foreach(shader IN LISTS SHADERS)
  get_filename_component(name ${shader} NAME_WE)
  file(READ ${shader} text)
  string(APPEND entries "      {\"${name}\", R\"glsl(${text})glsl\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"panta/render/gl/shader_text.h\"

#include <map>
#include <string>

namespace panta {

const char* shader_text(const std::string& name) {
  static const std::map<std::string, const char*> texts = {
${entries}  };
  return texts.at(name);
}

}  // namespace panta
")
