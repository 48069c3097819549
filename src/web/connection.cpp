#include "web/connection.hpp"

#include "security/certified_identity.hpp"
#include "web/exchange.hpp"

#include <fcntl.h>
#include <optional>
#include <sstream>

namespace troupe {

namespace http = beast::http;

namespace {

using plain_transport = beast::tcp_stream;
using tls_transport = beast::ssl_stream<beast::tcp_stream>;

std::string address_of(const tcp::socket& socket) {
  asio_error error;
  const auto at = socket.remote_endpoint(error);
  return error ? std::string{} : at.address().to_string();
}

/// A client began a TLS connection with a request of HTTP.
bool is_http_request(asio_error error) {
  return error.category() == asio::error::get_ssl_category() &&
         ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_HTTP_REQUEST;
}

/// Serves one client: one request after the other, or a stream of events to the end.
template <class Transport>
class served_connection final : public web_connection,
                                public std::enable_shared_from_this<served_connection<Transport>> {
public:
  static constexpr bool is_tls = std::is_same_v<Transport, tls_transport>;

  template <class... Tls>
  served_connection(const std::shared_ptr<asio::io_context>& io, std::shared_ptr<web_state> state,
                    tcp::socket socket, Tls&... tls)
    : web_connection(std::move(state)),
      io_(io),
      address_(address_of(socket)),
      transport_(std::move(socket), tls...),
      timer_(*io) {}

  void start() override {
    if constexpr (is_tls) {
      tcp_transport().expires_after(state_->limits.request);
      transport_.async_handshake(asio::ssl::stream_base::server,
                                 [self = this->shared_from_this()](asio_error error) {
                                   if (!error)
                                     self->read();
                                   else if (is_http_request(error))
                                     self->refuse_plain_text();
                                 });
    } else {
      read();
    }
  }

  void close() override {
    closed_ = true;
    set_idle(false);
    events_.reset();
    timer_.cancel();
    tcp_transport().close();
  }

private:
  plain_transport& tcp_transport() { return beast::get_lowest_layer(transport_); }

  /// A node's certificate is for its connections to other nodes.
  bool certified() {
    if constexpr (is_tls) {
      auto* const native = transport_.native_handle();
      const auto* const certificate = SSL_get0_peer_certificate(native);
      if (certificate == nullptr || SSL_get_verify_result(native) != X509_V_OK)
        return false;
      const auto who = certified_identity_of(*certificate);
      return !who || who->roles.empty();
    } else {
      return false;
    }
  }

  void read() {
    if (state_->closed || closed_)
      return close();
    set_idle(true);
    parser_.emplace();
    limit(*parser_, state_->limits);
    tcp_transport().expires_after(state_->limits.request);
    http::async_read(transport_, buffer_, *parser_,
                     [self = this->shared_from_this()](asio_error error, std::size_t) {
                       self->set_idle(false);
                       self->received(error);
                     });
  }

  void received(asio_error error) {
    if (closed_)
      return;
    if (error == http::error::end_of_stream)
      return end();
    if (error && error.category() != make_error_code(http::error::bad_method).category())
      return close();
    const auto wait = state_->rate.take(address_, std::chrono::steady_clock::now());
    if (!wait)
      return later(state_->limits.longest_wait, [this] {
        auto refusal = error_response(429, "too many requests from this address");
        refusal.headers.emplace_back("Retry-After", "1");
        respond(std::move(refusal), false);
      });
    if (error)
      return respond(unreadable(error), false);
    if (*wait > request_rate::span::zero())
      return later(*wait, [this] { answer(); });
    answer();
  }

  template <class F>
  void later(request_rate::span after, F then) {
    timer_.expires_after(after);
    timer_.async_wait([self = this->shared_from_this(), then](asio_error error) {
      if (!error && !self->closed_)
        then();
    });
  }

  void answer() {
    const auto& input = parser_->get();
    auto decision = decide(input, certified(), state_->access, *state_->routes);
    if (decision.route == nullptr)
      return respond(std::move(decision.refusal), input.keep_alive());
    if (decision.route->feed)
      return begin_stream(*decision.route);
    const auto turn = ++turn_;
    const web_reply reply{
      [weak = this->weak_from_this(), io = io_.lock(), turn](web_response response) {
        // Handlers may answer within the call: the response is rendered after that.
        asio::post(*io, [weak, turn, response = std::move(response)]() mutable {
          if (const auto self = weak.lock(); self && self->turn_ == turn)
            self->respond(std::move(response), self->parser_->get().keep_alive());
        });
      }};
    const auto own_limit = decision.route->longest_answer;
    later(own_limit.count() > 0 ? own_limit : state_->limits.answer, [this, turn] {
      if (turn_ == turn)
        respond(error_response(504, "there was no answer in time"), false);
    });
    try {
      decision.route->handler(decision.request, reply);
    } catch (const std::exception& e) {
      reply(error_response(500, e.what()));
    }
  }

  void respond(web_response response, bool keep_alive) {
    ++turn_; // no other response to this request
    timer_.cancel();
    output_ = render(std::move(response), parser_->get(), keep_alive);
    serializer_.emplace(*output_);
    serializer_->split(false);
    tcp_transport().expires_after(state_->limits.write);
    auto written = [self = this->shared_from_this()](asio_error error, std::size_t) {
      self->written(error);
    };
    if (parser_->get().method() == http::verb::head)
      http::async_write_header(transport_, *serializer_, std::move(written));
    else
      http::async_write(transport_, *serializer_, std::move(written));
  }

  void refuse_plain_text() {
    std::ostringstream refusal;
    refusal << render(error_response(400, "this server expects TLS: use its address with https://"),
                      http_input{}, false);
    text_ = refusal.str();
    tcp_transport().expires_after(state_->limits.write);
    asio::async_write(
      tcp_transport(), asio::buffer(text_),
      [self = this->shared_from_this()](asio_error, std::size_t) { self->end_plain(); });
  }

  void written(asio_error error) {
    const bool goes_on = !error && output_->keep_alive();
    serializer_.reset();
    output_.reset();
    if (error)
      return close();
    goes_on ? read() : end();
  }

  /// Tells the client that nothing more comes, and discards for a while what it still sends, so
  /// that it can read the response.
  void end() {
    tcp_transport().expires_after(state_->limits.write);
    if constexpr (is_tls) {
      transport_.async_shutdown([self = this->shared_from_this()](asio_error) { self->close(); });
    } else {
      end_plain();
    }
  }

  void end_plain() {
    asio_error ignored;
    tcp_transport().socket().shutdown(tcp::socket::shutdown_send, ignored);
    discard();
  }

  void discard() {
    tcp_transport().async_read_some(
      asio::buffer(scratch_), [self = this->shared_from_this()](asio_error error, std::size_t n) {
        self->discarded_ += n;
        if (!error && self->discarded_ < most_discarded)
          self->discard();
        else
          self->close();
      });
  }

  // -- a stream of events --

  void begin_stream(const route_table::route& route) {
    if (state_->streams >= state_->limits.event_streams)
      return respond(error_response(503, "there are too many streams of events already; close one "
                                         "of the pages"),
                     false);
    if (parser_->get().method() == http::verb::head) {
      web_response head;
      head.type = "text/event-stream; charset=utf-8";
      return respond(std::move(head), false);
    }
    const auto last = parser_->get()["Last-Event-ID"];
    auto wake = [weak = this->weak_from_this(), io = io_.lock()] {
      asio::post(*io, [weak] {
        if (const auto self = weak.lock())
          self->pump();
      });
    };
    const std::shared_ptr<void> counted{nullptr, [state = state_](void*) { --state->streams; }};
    ++state_->streams;
    events_ = {event_feed::join(route.feed, {last.data(), last.size()}, std::move(wake)), counted};
    text_ = event_stream_head();
    tcp_transport().expires_never();
    watch_for_end();
    write_events();
  }

  /// A client sends nothing more; it only disconnects.
  void watch_for_end() {
    transport_.async_read_some(
      asio::buffer(scratch_),
      [self = this->shared_from_this()](asio_error, std::size_t) { self->close(); });
  }

  void pump() {
    if (!events_ || writing_)
      return;
    text_ = events_->reader.next();
    if (!text_.empty())
      return write_events();
    if (events_->reader.at_end())
      return close_after_end();
    later(state_->limits.silence, [this] {
      if (events_ && !writing_) {
        text_ = ":\n\n";
        write_events();
      }
    });
  }

  void write_events() {
    writing_ = true;
    timer_.cancel();
    tcp_transport().expires_after(state_->limits.write);
    asio::async_write(transport_, asio::buffer(text_),
                      [self = this->shared_from_this()](asio_error error, std::size_t) {
                        self->writing_ = false;
                        if (error)
                          self->close();
                        else
                          self->pump();
                      });
  }

  void close_after_end() {
    events_.reset();
    asio_error ignored;
    tcp_transport().socket().shutdown(tcp::socket::shutdown_send, ignored);
    later(state_->limits.write, [this] { close(); });
  }

  struct open_stream {
    event_feed::reader reader;
    std::shared_ptr<void> counted;
  };

  static constexpr std::size_t most_discarded = std::size_t{256} << 10;

  std::weak_ptr<asio::io_context> io_; ///< which owns the handlers that own this
  std::string address_;
  Transport transport_;
  asio::steady_timer timer_;
  beast::flat_buffer buffer_{std::size_t{2} << 20};
  std::optional<http_parser> parser_;
  std::optional<http_output> output_;
  std::optional<http::serializer<false, http::string_body>> serializer_;
  std::uint64_t turn_ = 0;
  std::array<char, 512> scratch_{};
  std::size_t discarded_ = 0;
  std::optional<open_stream> events_;
  std::string text_; ///< events, or a refusal, that are being written
  bool writing_ = false;
  bool closed_ = false;
};

} // namespace

web_connection::web_connection(std::shared_ptr<web_state> of)
  : state_(std::move(of)), place_(state_->open.insert(state_->open.end(), this)) {}

web_connection::~web_connection() {
  state_->open.erase(place_);
}

void web_connection::set_idle(bool idle) {
  idle_ = idle;
  state_->open.splice(state_->open.end(), state_->open, place_);
}

std::shared_ptr<web_connection> make_web_connection(const std::shared_ptr<asio::io_context>& io,
                                                    tcp::socket socket, asio::ssl::context* tls,
                                                    std::shared_ptr<web_state> state) {
  asio_error ignored;
  socket.set_option(tcp::no_delay{true}, ignored);
  fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
  if (tls == nullptr)
    return std::make_shared<served_connection<plain_transport>>(io, std::move(state),
                                                                std::move(socket));
  return std::make_shared<served_connection<tls_transport>>(io, std::move(state), std::move(socket),
                                                            *tls);
}

} // namespace troupe
