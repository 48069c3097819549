#include "nodes/connections/carrier.hpp"

#include "model/base/log.hpp"

#include <algorithm>
#include <array>

namespace troupe {

namespace {

/// One record of TLS.
constexpr std::size_t read_size = 16 << 10;
constexpr std::size_t write_size = 64 << 10;

/// CAF gets longer messages in one piece, in bytes.
constexpr std::uint32_t longest_direct = frame_budget::free_share;

/// The time for the other side to close the connection after CAF has closed it.
constexpr auto longest_linger = std::chrono::seconds{1};

} // namespace

carrier::carrier(std::shared_ptr<connection_context> context, std::shared_ptr<stream> far,
                 local_socket near, verified_peer peer, std::shared_ptr<connection_log> log)
  : context_(std::move(context)),
    far_(std::move(far)),
    near_(std::move(near)),
    peer_(std::move(peer)),
    log_(std::move(log)),
    linger_(context_->io),
    frames_(context_->limits.longest_message, peer_->instance, context_->own.instance),
    in_(read_size),
    out_(write_size) {}

carrier::~carrier() {
  context_->announced.give_back(held_);
}

void carrier::start(std::function<void()> heard) {
  heard_ = std::move(heard);
  read_far();
  read_near();
}

void carrier::close() {
  if (std::exchange(closed_, true))
    return;
  asio_error ignored;
  linger_.cancel();
  far_->close();
  near_.close(ignored);
  note_heard();
}

void carrier::note_heard() {
  if (const auto heard = std::exchange(heard_, nullptr))
    heard();
}

void carrier::read_far() {
  far_->read_some(asio::buffer(in_), [self = shared_from_this()](asio_error error, std::size_t n) {
    if (error || !self->admits({self->in_.data(), n}))
      return self->close();
    if (self->leaving_)
      return self->read_far();
    self->pass_on({self->in_.data(), n});
  });
}

/// Passes bytes on to CAF, except those of a long message that is not complete.
void carrier::pass_on(std::string_view bytes) {
  const auto kept = std::min(frames_.incomplete(longest_direct), bytes.size());
  const auto ready = bytes.substr(0, bytes.size() - kept);
  const auto rest = bytes.substr(ready.size());
  if (ready.empty()) {
    early_ += rest;
    return read_far();
  }
  sent_ = std::exchange(early_, std::string{rest});
  const std::array<asio::const_buffer, 2> pieces{asio::buffer(sent_), asio::buffer(ready)};
  asio::async_write(near_, pieces, [self = shared_from_this()](asio_error, std::size_t) {
    std::string{}.swap(self->sent_);
    self->read_far();
  });
}

void carrier::read_near() {
  near_.async_read_some(asio::buffer(out_), [self = shared_from_this()](asio_error error,
                                                                        std::size_t n) {
    if (error)
      return self->leave();
    self->far_->write(asio::buffer(self->out_.data(), n), [self](asio_error failure, std::size_t) {
      if (failure)
        return self->close();
      self->read_near();
    });
  });
}

/// CAF waits for its end to be closed. All bytes that it has written are sent.
void carrier::leave() {
  if (closed_)
    return;
  asio_error ignored;
  leaving_ = true;
  near_.close(ignored);
  far_->end_writing();
  linger_.expires_after(longest_linger);
  linger_.async_wait([self = shared_from_this()](asio_error error) {
    if (!error)
      self->close();
  });
}

/// Returns whether the received bytes may be passed on to CAF.
bool carrier::admits(std::string_view bytes) {
  const auto fault = frames_.feed(bytes);
  const auto announced = std::to_string(frames_.longest());
  const auto& limits = context_->limits;
  if (fault == frame_fault::too_long)
    log_->write(log::level::warn, "messages that are too long",
                log_->peer() + " announces a message of " + announced + " bytes; the limit is " +
                  std::to_string(limits.longest_message) + ": connection closed");
  else if (fault == frame_fault::foreign)
    log_->write(log::level::warn, "messages with the id of another process",
                log_->peer() + " (" + peer_->name +
                  ") sends a message with the id of another process as sender or receiver: "
                  "connection closed");
  else if (!context_->announced.take(held_, frames_.longest()))
    log_->write(log::level::warn, "messages without room",
                log_->peer() + " announces a message of " + announced +
                  " bytes; all connections together would exceed the limit of " +
                  std::to_string(limits.most_announced) + ": connection closed");
  else {
    if (frames_.any())
      note_heard();
    return true;
  }
  return false;
}

} // namespace troupe
