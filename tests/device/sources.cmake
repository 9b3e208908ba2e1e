# Tests compiled once per device, like the library's device sources; nvcc compiles the tests of one line as one.
set(PANTA_DEVICE_TEST_GROUPS
  "main.cpp buffer_test.cpp field_test.cpp launch_test.cpp loop_test.cpp sort_test.cpp team_test.cpp"
  "grid_test.cpp invalid_positions_test.cpp lists_test.cpp particles_test.cpp resample_test.cpp search_test.cpp"
  "conjugate_gradient_test.cpp pair_sum_test.cpp surface_test.cpp"
  "distance_grid_test.cpp force_field_test.cpp linear_test.cpp rigid_body_test.cpp shape_test.cpp"
  "body_coupling_test.cpp constraints_test.cpp follow_rotation_test.cpp summed_constraints_test.cpp"
)
set(PANTA_DEVICE_TEST_FOLDER ${CMAKE_CURRENT_LIST_DIR})
string(REPLACE " " ";" PANTA_DEVICE_TEST_SOURCES "${PANTA_DEVICE_TEST_GROUPS}")
list(TRANSFORM PANTA_DEVICE_TEST_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
