# The functions of targets.h, one in each file. Absolute paths, for the test that shares them.
set(PANTA_FUZZ_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/fuzz_checkpoint.cpp
  ${CMAKE_CURRENT_LIST_DIR}/fuzz_expression.cpp
  ${CMAKE_CURRENT_LIST_DIR}/fuzz_obj.cpp
  ${CMAKE_CURRENT_LIST_DIR}/fuzz_ply.cpp
  ${CMAKE_CURRENT_LIST_DIR}/fuzz_scene.cpp
  ${CMAKE_CURRENT_LIST_DIR}/fuzz_stl.cpp
)
