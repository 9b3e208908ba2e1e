# cmake --install, the package for find_package(panta), and the test of both.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(PANTA_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/panta)

set(PANTA_INSTALLED_TARGETS panta)
if(PANTA_HAS_CUDA)
  list(APPEND PANTA_INSTALLED_TARGETS panta_cuda)
endif()
install(TARGETS ${PANTA_INSTALLED_TARGETS} EXPORT panta_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS panta_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The headers that programs include (docs/library.md), and those that these include. The rest of the headers
# is not installed.
set(PANTA_PUBLIC_HEADERS
  core/error.h
  core/log.h
  engine/devices.h
  engine/methods.h
  engine/simulation.h
  geometry/read_mesh.h
  geometry/write_mesh.h
  io/particle_file.h
  io/run_frames.h
  io/surface_file.h
  load/bundled_scenes.h
  load/load.h
  render/render_run.h
  run/run.h
  surface/reconstruct.h
  surface/run_surfaces.h
)
set(waiting ${PANTA_PUBLIC_HEADERS})
set(installed "")
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST installed)
    continue()
  endif()
  list(APPEND installed ${header})
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/panta/${header} includes REGEX "^#include \"panta/")
  list(TRANSFORM includes REPLACE "^#include \"panta/([^\"]+)\".*" "\\1")
  list(APPEND waiting ${includes})
endwhile()
foreach(header IN LISTS installed)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES src/panta/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/panta/${folder})
endforeach()
list(TRANSFORM installed PREPEND ${PROJECT_SOURCE_DIR}/src/panta/)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${installed})  # their includes may change
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/panta)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT panta_targets NAMESPACE panta:: FILE panta-targets.cmake
        DESTINATION ${PANTA_PACKAGE_DIR})
configure_package_config_file(cmake/panta-config.cmake.in panta-config.cmake
                              INSTALL_DESTINATION ${PANTA_PACKAGE_DIR})
write_basic_package_version_file(panta-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/panta-config.cmake ${PROJECT_BINARY_DIR}/panta-config-version.cmake
        DESTINATION ${PANTA_PACKAGE_DIR})

# A sanitized library only links into a sanitized program, so those builds skip the test.
if(PANTA_TESTS AND NOT PANTA_SANITIZE)
  add_test(NAME install.embed
           COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -D SOURCE=${PROJECT_SOURCE_DIR}
                   -D GENERATOR=${CMAKE_GENERATOR} -D COMPILER=${CMAKE_CXX_COMPILER}
                   -D CUDA=${PANTA_HAS_CUDA} -P ${PROJECT_SOURCE_DIR}/tests/install_test.cmake)
  set_tests_properties(install.embed PROPERTIES LABELS install)
endif()
