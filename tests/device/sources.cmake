# Tests compiled once per device, like the library's device sources.
set(PANTA_DEVICE_TEST_SOURCES
  body_coupling_test.cpp
  buffer_test.cpp
  conjugate_gradient_test.cpp
  constraints_test.cpp
  distance_grid_test.cpp
  field_test.cpp
  follow_rotation_test.cpp
  force_field_test.cpp
  grid_test.cpp
  invalid_positions_test.cpp
  launch_test.cpp
  linear_test.cpp
  lists_test.cpp
  loop_test.cpp
  main.cpp
  pair_sum_test.cpp
  particles_test.cpp
  rigid_body_test.cpp
  search_test.cpp
  shape_test.cpp
  sort_test.cpp
  surface_test.cpp
  team_test.cpp
)
list(TRANSFORM PANTA_DEVICE_TEST_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
