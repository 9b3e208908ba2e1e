# Finds OpenGL and EGL, which draw previews without a window; requires them only if
# PANTA_OPENGL is ON. Sets PANTA_HAS_OPENGL.
set(PANTA_HAS_OPENGL OFF)
if(PANTA_OPENGL STREQUAL "AUTO" OR PANTA_OPENGL)
  find_package(OpenGL COMPONENTS OpenGL EGL QUIET)
  if(TARGET OpenGL::OpenGL AND TARGET OpenGL::EGL)
    set(PANTA_HAS_OPENGL ON)
  elseif(NOT PANTA_OPENGL STREQUAL "AUTO")
    message(FATAL_ERROR "PANTA_OPENGL is ${PANTA_OPENGL} but OpenGL or EGL was not found; "
                        "on Debian and Ubuntu they come with libegl-dev, libgl-dev and libopengl-dev")
  endif()
endif()
if(PANTA_HAS_OPENGL)
  message(STATUS "panta: with OpenGL previews")
else()
  message(STATUS "panta: without OpenGL previews")
endif()

# Writes a source file with the text of the given shaders, so that an installed program needs no files. Runs
# again if one of them changes.
function(panta_embed_shaders output)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DSHADERS=${ARGN}"
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedShaders.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/EmbedShaders.cmake
    VERBATIM)
endfunction()
