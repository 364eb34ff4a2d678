# SPDX-License-Identifier: Apache-2.0
# The project's own warnings, one static library per room, and one test binary per room.

# Warnings stay private to our targets: a consumer never inherits them.
function(compass_fabric_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Werror)
  # g++ 12 takes the frame allocator of Asio's coroutines for a mismatch once it is inlined.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete>)
endfunction()

# compass_fabric_room(<name> [PUBLIC libs...] [PRIVATE libs...]): library cf_<name> from src/<name>/*.cpp.
# A room without sources yet is an interface library, so that the rooms above it can already link it.
function(compass_fabric_room name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    add_library(cf_${name} INTERFACE)
    target_link_libraries(cf_${name} INTERFACE ${ARG_PUBLIC})
    return()
  endif()
  add_library(cf_${name} ${sources})
  set_target_properties(cf_${name} PROPERTIES
    OUTPUT_NAME compass_fabric_${name} VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} INSTALL_RPATH $ORIGIN)
  target_compile_features(cf_${name} PUBLIC cxx_std_20)
  target_include_directories(cf_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(cf_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  compass_fabric_warnings(cf_${name})
endfunction()

# compass_fabric_test(<room> [DIR dir] [LIBS libs...]): binary test_<room> from test/<dir>/*.cpp (dir is the room's name
# unless given); every test case is a ctest test of its own, so that one that hangs is named and ended.
function(compass_fabric_test room)
  cmake_parse_arguments(ARG "" "DIR" "LIBS" ${ARGN})
  if(NOT ARG_DIR)
    set(ARG_DIR ${room})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_DIR}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${room} ${sources})
  target_include_directories(test_${room} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/test)
  target_link_libraries(test_${room} PRIVATE ${ARG_LIBS} Catch2::Catch2WithMain)
  compass_fabric_warnings(test_${room})
  catch_discover_tests(test_${room} TEST_PREFIX "${room}: " DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 180)
endfunction()
