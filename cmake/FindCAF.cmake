# Finds the C++ Actor Framework as Debian packages it: headers and libraries, but neither a CMake
# package nor a pkg-config file.
#
# Components: core, io. Defines CAF::<component> for each one found, and CAF_VERSION.

find_path(CAF_INCLUDE_DIR caf/config.hpp)
mark_as_advanced(CAF_INCLUDE_DIR)

if(CAF_INCLUDE_DIR)
  # CAF_VERSION is major * 10000 + minor * 100 + patch.
  file(STRINGS "${CAF_INCLUDE_DIR}/caf/config.hpp" _caf_line REGEX "#define CAF_VERSION [0-9]+")
  string(REGEX MATCH "[0-9]+$" _caf_number "${_caf_line}")
  math(EXPR _caf_major "${_caf_number} / 10000")
  math(EXPR _caf_minor "${_caf_number} / 100 % 100")
  math(EXPR _caf_patch "${_caf_number} % 100")
  set(CAF_VERSION "${_caf_major}.${_caf_minor}.${_caf_patch}")
endif()

foreach(_caf_component IN LISTS CAF_FIND_COMPONENTS)
  find_library(CAF_${_caf_component}_LIBRARY caf_${_caf_component})
  mark_as_advanced(CAF_${_caf_component}_LIBRARY)
  if(CAF_${_caf_component}_LIBRARY)
    set(CAF_${_caf_component}_FOUND TRUE)
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CAF REQUIRED_VARS CAF_INCLUDE_DIR VERSION_VAR CAF_VERSION
                                  HANDLE_COMPONENTS)

if(CAF_FOUND)
  find_package(Threads REQUIRED)
  set(_caf_core_needs Threads::Threads)
  set(_caf_io_needs CAF::core)
  foreach(_caf_component IN LISTS CAF_FIND_COMPONENTS)
    if(CAF_${_caf_component}_FOUND AND NOT TARGET CAF::${_caf_component})
      add_library(CAF::${_caf_component} UNKNOWN IMPORTED)
      set_target_properties(CAF::${_caf_component} PROPERTIES
        IMPORTED_LOCATION "${CAF_${_caf_component}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${CAF_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${_caf_${_caf_component}_needs}")
    endif()
  endforeach()
endif()
