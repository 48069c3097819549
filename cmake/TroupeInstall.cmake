# `cmake --install`: the program, its configs, and a CMake package with the libraries and headers.
include(CMakePackageConfigHelpers)

set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Troupe)

foreach(_folder IN ITEMS model security policies settings workload report experiments actors
                         runtime)
  if(TARGET troupe_${_folder})
    set_target_properties(troupe_${_folder} PROPERTIES EXPORT_NAME ${_folder})
    install(TARGETS troupe_${_folder} EXPORT TroupeTargets
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
install(EXPORT TroupeTargets NAMESPACE troupe:: DESTINATION ${_package_dir})

install(TARGETS troupe RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/troupe
        FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs ${PROJECT_SOURCE_DIR}/examples
        DESTINATION ${CMAKE_INSTALL_DATADIR}/troupe)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(InstalledDocs)
install_docs(README.md CONTRIBUTING.md docs/*.md)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/TroupeConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/TroupeConfig.cmake
                              INSTALL_DESTINATION ${_package_dir}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TroupeConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TroupeConfig.cmake
              ${PROJECT_BINARY_DIR}/TroupeConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindCAF.cmake
              ${PROJECT_SOURCE_DIR}/cmake/TroupePlugins.cmake
        DESTINATION ${_package_dir})
