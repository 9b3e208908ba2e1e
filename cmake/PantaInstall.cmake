# cmake --install, and a package that find_package(panta) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
