# SPDX-License-Identifier: Apache-2.0
# The project's own warnings, one static library per room, and one test binary per room.

# Warnings stay private to our targets: a consumer never inherits them.
function(compass_fabric_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Werror)
endfunction()

# compass_fabric_room(<name> [PUBLIC libs...] [PRIVATE libs...]): library cf_<name> from src/<name>/*.cpp.
function(compass_fabric_room name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(cf_${name} ${sources})
  target_compile_features(cf_${name} PUBLIC cxx_std_20)
  target_include_directories(cf_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(cf_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  compass_fabric_warnings(cf_${name})
endfunction()

# compass_fabric_test(<room> libs...): binary test_<room> from test/<room>/*.cpp, registered with ctest.
function(compass_fabric_test room)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${room} ${sources})
  target_include_directories(test_${room} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/test)
  target_link_libraries(test_${room} PRIVATE ${ARGN} Catch2::Catch2WithMain)
  compass_fabric_warnings(test_${room})
  add_test(NAME ${room} COMMAND test_${room})
endfunction()
