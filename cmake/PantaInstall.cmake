# cmake --install, the package that find_package(panta) finds, and the test that uses both.
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
install(DIRECTORY src/panta/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/panta
        FILES_MATCHING PATTERN "*.h" PATTERN cuda EXCLUDE)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/panta)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT panta_targets NAMESPACE panta:: FILE panta-targets.cmake
        DESTINATION ${PANTA_PACKAGE_DIR})
configure_package_config_file(cmake/panta-config.cmake.in panta-config.cmake
                              INSTALL_DESTINATION ${PANTA_PACKAGE_DIR})
write_basic_package_version_file(panta-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/panta-config.cmake ${PROJECT_BINARY_DIR}/panta-config-version.cmake
        DESTINATION ${PANTA_PACKAGE_DIR})

# A sanitized library only links into a sanitized program, so those builds leave the test out.
if(PANTA_TESTS AND NOT PANTA_SANITIZE)
  add_test(NAME install.embed
           COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -D SOURCE=${PROJECT_SOURCE_DIR}
                   -D GENERATOR=${CMAKE_GENERATOR} -D COMPILER=${CMAKE_CXX_COMPILER}
                   -D CUDA=${PANTA_HAS_CUDA} -P ${PROJECT_SOURCE_DIR}/tests/install_test.cmake)
  set_tests_properties(install.embed PROPERTIES LABELS install)
endif()
