#pragma once

#include <arpa/inet.h>
#include <cstdint>
#include <map>
#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace troupe::test {

struct http_answer {
  unsigned status = 0;
  std::map<std::string, std::string> headers; ///< by name, as it was sent
  std::string body;
};

/// Sends one request to a port of this host and reads the answer, on a connection of its own.
inline http_answer ask_http(std::uint16_t port, const std::string& target, const std::string* body,
                            const std::vector<std::pair<std::string, std::string>>& headers) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0)
    throw std::runtime_error{"no connection"};
  std::string text = (body != nullptr ? "POST " : "GET ") + target +
                     " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  for (const auto& [name, value] : headers)
    text += name + ": " + value + "\r\n";
  if (body != nullptr)
    text +=
      "Content-Type: application/json\r\nContent-Length: " + std::to_string(body->size()) + "\r\n";
  text += "\r\n" + (body != nullptr ? *body : "");
  for (std::size_t sent = 0; sent < text.size();) {
    const auto n = send(fd, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n <= 0)
      break; // it may be refused meanwhile
    sent += static_cast<std::size_t>(n);
  }
  std::string all;
  char part[4096];
  for (ssize_t n = 0; (n = read(fd, part, sizeof part)) > 0;)
    all.append(part, static_cast<std::size_t>(n));
  close(fd);
  http_answer out;
  const auto end = all.find("\r\n\r\n");
  if (end == std::string::npos)
    throw std::runtime_error{"no answer"};
  out.body = all.substr(end + 4);
  out.status = static_cast<unsigned>(std::stoul(all.substr(all.find(' ') + 1, 3)));
  for (auto at = all.find("\r\n") + 2; at < end;) {
    const auto next = all.find("\r\n", at);
    const auto colon = all.find(": ", at);
    out.headers[all.substr(at, colon - at)] = all.substr(colon + 2, next - colon - 2);
    at = next + 2;
  }
  return out;
}

} // namespace troupe::test
