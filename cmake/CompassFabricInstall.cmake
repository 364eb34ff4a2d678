# SPDX-License-Identifier: Apache-2.0
# Install rules: headers, the rooms' libraries exported together, and the package files for find_package.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/compass_fabric)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  PATTERN compass_fabric/testing EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS compass_fabric cf_fabric cf_jetstream cf_client cf_proto EXPORT compass_fabric)
if(TARGET cf_testing)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/compass_fabric/testing
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/compass_fabric)
  install(TARGETS cf_testing EXPORT compass_fabric)
endif()
install(EXPORT compass_fabric FILE compass_fabric-targets.cmake NAMESPACE compass_fabric:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/compass_fabric-config.cmake.in
  ${PROJECT_BINARY_DIR}/compass_fabric-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/compass_fabric-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/compass_fabric-config.cmake
  ${PROJECT_BINARY_DIR}/compass_fabric-config-version.cmake DESTINATION ${package_dir})
