#pragma once

#include "web/beast.hpp"

#include <string>

/// A blocking client of one connection.
namespace troupe {

class web_client {
public:
  explicit web_client(std::uint16_t port) {
    socket_.connect({asio::ip::make_address("127.0.0.1"), port});
  }

  void send(const std::string& text) { asio::write(socket_, asio::buffer(text)); }

  /// Sends what may be refused meanwhile.
  void try_to_send(const std::string& text) {
    asio_error ignored;
    asio::write(socket_, asio::buffer(text), ignored);
  }

  /// Reads one response.
  beast::http::response<beast::http::string_body> receive(bool of_head = false) {
    beast::http::response_parser<beast::http::string_body> parser;
    parser.skip(of_head);
    beast::http::read(socket_, buffer_, parser);
    return parser.release();
  }

  /// Reads until `end` has arrived; returns all up to that.
  std::string read_until(const std::string& end) {
    const auto n = asio::read_until(socket_, asio::dynamic_buffer(text_), end);
    auto out = text_.substr(0, n);
    text_.erase(0, n);
    return out;
  }

  /// Waits for the end of the connection; returns what still came.
  std::string read_all() {
    asio_error error;
    asio::read(socket_, asio::dynamic_buffer(text_), error);
    return std::exchange(text_, {});
  }

  tcp::socket& socket() { return socket_; }

private:
  asio::io_context io_;
  tcp::socket socket_{io_};
  beast::flat_buffer buffer_;
  std::string text_;
};

inline std::string get_text(const std::string& target, const std::string& more = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
}

} // namespace troupe
