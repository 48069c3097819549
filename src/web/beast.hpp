#pragma once

// clang-format off: Boost 1.74 uses std::exchange without including this.
#include <utility>
// clang-format on

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

namespace troupe {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio_error = boost::system::error_code;
using tcp = asio::ip::tcp;

} // namespace troupe
