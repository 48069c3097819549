# Finds libpqxx and libpq, which Debian packages without CMake packages. Defines Libpqxx::libpqxx.

find_path(LIBPQXX_INCLUDE_DIR pqxx/pqxx)
find_path(LIBPQ_INCLUDE_DIR libpq-fe.h PATH_SUFFIXES postgresql)
find_library(LIBPQXX_LIBRARY pqxx)
find_library(LIBPQ_LIBRARY pq)
mark_as_advanced(LIBPQXX_INCLUDE_DIR LIBPQ_INCLUDE_DIR LIBPQXX_LIBRARY LIBPQ_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libpqxx REQUIRED_VARS LIBPQXX_LIBRARY LIBPQ_LIBRARY
                                  LIBPQXX_INCLUDE_DIR LIBPQ_INCLUDE_DIR)

if(LIBPQXX_FOUND AND NOT TARGET Libpqxx::libpqxx)
  add_library(Libpqxx::libpqxx UNKNOWN IMPORTED)
  set_target_properties(Libpqxx::libpqxx PROPERTIES
    IMPORTED_LOCATION "${LIBPQXX_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LIBPQXX_INCLUDE_DIR};${LIBPQ_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${LIBPQ_LIBRARY}")
endif()
