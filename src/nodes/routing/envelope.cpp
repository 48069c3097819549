#include "nodes/routing/envelope.hpp"

#include "actors/protocol/handles.hpp"
#include "nodes/routing/node_messages.hpp"

#include <caf/all.hpp>
#include <caf/serializer_impl.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <typeinfo>

namespace troupe {

namespace {

using sink_type = caf::serializer_impl<std::string>;

/// The header before each message.
struct envelope_head {
  std::uint32_t size = 0; ///< of the message, without this header
  std::uint8_t shape = 0;
  std::uint8_t to_kind = 0;
  std::uint8_t from_kind = 0;
  std::uint32_t to_number = 0;
  incarnation_id to_incarnation = 0;
  std::uint32_t from_number = 0;
  incarnation_id from_incarnation = 0;
  std::uint64_t id = 0;
};

constexpr std::size_t head_size = 4 + 3 + 4 * 4 + 8;

std::uint8_t pack(const address& a) {
  return static_cast<std::uint8_t>((static_cast<unsigned>(a.kind) << 4) |
                                   static_cast<unsigned>(a.what));
}

address unpack(std::uint8_t kind, std::uint32_t number, incarnation_id incarnation) {
  if ((kind >> 4) > static_cast<unsigned>(party::recorder) ||
      (kind & 15) > static_cast<unsigned>(role::master))
    throw std::runtime_error("an envelope for an unknown kind of member");
  return {static_cast<party>(kind >> 4), static_cast<role>(kind & 15), number, incarnation};
}

template <class T>
void put(std::string& out, std::size_t at, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    out[at + i] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
}

template <class T>
T get(const std::string& in, std::size_t& at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value |= std::uint64_t{static_cast<unsigned char>(in[at++])} << (8 * i);
  return static_cast<T>(value);
}

void write_head(std::string& out, std::size_t at, const envelope_head& h) {
  put(out, at, h.size);
  put(out, at + 4, h.shape);
  put(out, at + 5, h.to_kind);
  put(out, at + 6, h.from_kind);
  put(out, at + 7, h.to_number);
  put(out, at + 11, h.to_incarnation);
  put(out, at + 15, h.from_number);
  put(out, at + 19, h.from_incarnation);
  put(out, at + 23, h.id);
}

envelope_head read_head(const std::string& in, std::size_t& at) {
  envelope_head h;
  h.size = get<std::uint32_t>(in, at);
  h.shape = get<std::uint8_t>(in, at);
  h.to_kind = get<std::uint8_t>(in, at);
  h.from_kind = get<std::uint8_t>(in, at);
  h.to_number = get<std::uint32_t>(in, at);
  h.to_incarnation = get<incarnation_id>(in, at);
  h.from_number = get<std::uint32_t>(in, at);
  h.from_incarnation = get<incarnation_id>(in, at);
  h.id = get<std::uint64_t>(in, at);
  return h;
}

/// How messages that contain one value of type `T` are recognised, written and read.
struct shape {
  const char* name = "";
  const std::type_info* first = nullptr; ///< the type of the first value, if that is no atom
  bool (*matches)(const caf::type_erased_tuple&) = nullptr;
  caf::error (*save)(sink_type&, const caf::type_erased_tuple&) = nullptr;
  caf::error (*load)(caf::binary_deserializer&, caf::message&) = nullptr;
};

template <class T>
shape shape_of(const char* name) {
  return {
    name,
    caf::is_atom_constant<T>::value ? nullptr : &typeid(T),
    [](const caf::type_erased_tuple& x) { return x.match_elements<T>(); },
    [](sink_type& sink, const caf::type_erased_tuple& x) -> caf::error {
      if constexpr (caf::is_atom_constant<T>::value)
        return caf::none;
      else
        return sink(const_cast<T&>(x.get_as<T>(0)));
    },
    [](caf::binary_deserializer& source, caf::message& out) -> caf::error {
      T value{};
      if constexpr (!caf::is_atom_constant<T>::value)
        if (auto e = source(value))
          return e;
      out = caf::make_message(std::move(value));
      return caf::none;
    },
  };
}

/// Describes a message with an atom and one value.
template <class Atom, class T>
shape shape_of(const char* name) {
  auto shape = shape_of<T>(name);
  shape.first = nullptr;
  shape.matches = [](const caf::type_erased_tuple& x) { return x.match_elements<Atom, T>(); };
  shape.save = [](sink_type& sink, const caf::type_erased_tuple& x) -> caf::error {
    return sink(const_cast<T&>(x.get_as<T>(1)));
  };
  shape.load = [](caf::binary_deserializer& source, caf::message& out) -> caf::error {
    T value{};
    if (auto e = source(value))
      return e;
    out = caf::make_message(Atom{}, std::move(value));
    return caf::none;
  };
  return shape;
}

/// All messages between members of different nodes, the most frequent first.
const std::array shapes{
  shape_of<machine_order>("machine_order"),
  shape_of<machine_heartbeat>("machine_heartbeat"),
  shape_of<lease_reply>("lease_reply"),
  shape_of<commit_request>("commit_request"),
  shape_of<commit_reply>("commit_reply"),
  shape_of<task_report>("task_report"),
  shape_of<report_seen>("report_seen"),
  shape_of<queue_orders>("queue_orders"),
  shape_of<queue_report>("queue_report"),
  shape_of<process_heartbeat>("process_heartbeat"),
  shape_of<process_lease>("process_lease"),
  shape_of<job_delivery>("job_delivery"),
  shape_of<store_report>("store_report"),
  shape_of<store_seen>("store_seen"),
  shape_of<sync_delta>("sync_delta"),
  shape_of<sync_round>("sync_round"),
  shape_of<member_heartbeat>("member_heartbeat"),
  shape_of<heartbeat_reply>("heartbeat_reply"),
  shape_of<membership>("membership"),
  shape_of<promotion>("promotion"),
  shape_of<owner_statement>("owner_statement"),
  shape_of<policy_choice>("policy_choice"),
  shape_of<sample_atom>("sample"),
  shape_of<flush_atom>("flush"),
  shape_of<sample_request>("sample_request"),
  shape_of<owner_status>("owner_status"),
  shape_of<scheduler_status>("scheduler_status"),
  shape_of<node_status>("node_status"),
  shape_of<workload_status>("workload_status"),
  shape_of<resource_offer>("resource_offer"),
  shape_of<offer_answer>("offer_answer"),
  shape_of<offer_recall>("offer_recall"),
  shape_of<capacity_report>("capacity_report"),
  shape_of<capacity_seen>("capacity_seen"),
  shape_of<capacity_call>("capacity_call"),
  shape_of<capacity_statement>("capacity_statement"),
  shape_of<allocator_status>("allocator_status"),
  shape_of<steal_atom, machine_id>("steal"),
  shape_of<stolen_entries>("stolen_entries"),
  shape_of<gone_atom, member>("gone"),
};

static_assert(shapes.size() < 256);

/// Returns the shape of a message, or the end of `shapes`. Types are compared by address first:
/// their names, which decide where several libraries have a type, take longer.
const shape* shape_of(const caf::type_erased_tuple& content) {
  if (const auto type = content.empty() ? nullptr : content.type(0).second)
    for (const auto& s : shapes)
      if (s.first == type && s.matches(content))
        return &s;
  return std::ranges::find_if(shapes, [&](const shape& s) { return s.matches(content); });
}

[[noreturn]] void refuse_bytes() {
  throw std::runtime_error("malformed envelopes");
}

} // namespace

std::size_t envelope_shapes() {
  return shapes.size();
}

const char* envelope_shape_name(std::size_t shape) {
  return shapes.at(shape).name;
}

std::optional<std::uint8_t> write_envelope(caf::actor_system& system, std::string& out,
                                           const address& to, const address& from, std::uint64_t id,
                                           const caf::type_erased_tuple& content) {
  const auto it = shape_of(content);
  if (it == shapes.end())
    return std::nullopt;
  const auto number = static_cast<std::uint8_t>(it - shapes.begin());
  const auto begin = out.size();
  out.resize(begin + head_size);
  sink_type sink{system, out};
  sink.seek(begin + head_size);
  if (it->save(sink, content)) {
    out.resize(begin);
    return std::nullopt;
  }
  write_head(out, begin,
             {static_cast<std::uint32_t>(out.size() - begin - head_size), number, pack(to),
              pack(from), to.number, to.incarnation, from.number, from.incarnation, id});
  return number;
}

envelope_reader::envelope_reader(caf::actor_system& system, const std::string& data)
  : system_(system), data_(data) {}

std::optional<envelope> envelope_reader::next() {
  if (at_ == data_.size())
    return std::nullopt;
  if (data_.size() - at_ < head_size)
    refuse_bytes();
  const auto head = read_head(data_, at_);
  if (head.shape >= shapes.size() || head.size > data_.size() - at_)
    refuse_bytes();
  envelope p{unpack(head.to_kind, head.to_number, head.to_incarnation),
             unpack(head.from_kind, head.from_number, head.from_incarnation),
             head.id,
             head.shape,
             {}};
  caf::binary_deserializer source{system_, data_.data() + at_, head.size};
  if (shapes[head.shape].load(source, p.content) || source.remaining() > 0)
    refuse_bytes();
  at_ += head.size;
  return p;
}

} // namespace troupe
