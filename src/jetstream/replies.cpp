// SPDX-License-Identifier: Apache-2.0
#include "jetstream/replies.hpp"

#include "jetstream/base64.hpp"
#include "jetstream/info_members.hpp"
#include "jetstream/json_reader.hpp"

namespace compass_fabric::jetstream {

namespace {

using json::element;

struct envelope_error {
  int code = 0;
  int err_code = 0;
  std::string description;
};

struct wire_message {
  std::string subject;
  std::uint64_t seq = 0;
  std::string hdrs;
  std::string data;
  std::optional<timestamp> time;
};

}  // namespace

template <>
struct members_of<envelope_error> {
  static void visit(auto&& each) {
    each("code", &envelope_error::code);
    each("err_code", &envelope_error::err_code);
    each("description", &envelope_error::description);
  }
};

template <>
struct members_of<wire_message> {
  static void visit(auto&& each) {
    each("subject", &wire_message::subject);
    each("seq", &wire_message::seq);
    each("hdrs", &wire_message::hdrs);
    each("data", &wire_message::data);
    each("time", &wire_message::time);
  }
};

namespace {

/// A parsed reply that is not an error.
class reply_document {
 public:
  reply_document(std::string_view reply, std::string_view where) : path_{nullptr, where} {
    element root;
    if (reply.empty()) fail_reply(path_, "empty reply");
    if (parser_.parse(reply.data(), reply.size()).get(root) != simdjson::SUCCESS ||
        root.get(object_) != simdjson::SUCCESS) {
      fail_reply(path_, "not a JSON object");
    }
    root_ = root;
    throw_error(where);
  }

  template <class T>
  T as() const {
    T out{};
    json::read(root_, out, path_);
    return out;
  }

  /// The value of `key`; its default when missing or null.
  template <class T>
  T member(std::string_view key) const {
    T out{};
    element value;
    if (object_[key].get(value) == simdjson::SUCCESS && !value.is_null())
      json::read(value, out, json_path{&path_, key});
    return out;
  }

  const json_path& path() const noexcept { return path_; }

 private:
  void throw_error(std::string_view where) const {
    element error;
    if (object_["error"].get(error) != simdjson::SUCCESS || error.is_null()) return;
    envelope_error found;
    json::read(error, found, json_path{&path_, "error"});
    throw api_error(found.code, found.err_code, std::move(found.description), where);
  }

  json_path path_;
  simdjson::dom::parser parser_;
  json::object object_;
  element root_;
};

template <class T>
page<T> read_page(std::string_view reply, std::string_view where, std::string_view key) {
  const reply_document document(reply, where);
  return {document.member<std::vector<T>>(key), document.member<std::uint64_t>("total")};
}

std::string decoded(const std::string& text, const json_path& outer, std::string_view key) {
  auto bytes = decode_base64(text);
  if (!bytes) fail_reply(json_path{&outer, key}, "not base64");
  return std::move(*bytes);
}

}  // namespace

stream_info read_stream_info(std::string_view reply, std::string_view where) {
  return reply_document(reply, where).as<stream_info>();
}

consumer_info read_consumer_info(std::string_view reply, std::string_view where) {
  return reply_document(reply, where).as<consumer_info>();
}

account_info read_account_info(std::string_view reply, std::string_view where) {
  return reply_document(reply, where).as<account_info>();
}

page<std::string> read_stream_names(std::string_view reply, std::string_view where) {
  return read_page<std::string>(reply, where, "streams");
}

page<stream_info> read_stream_list(std::string_view reply, std::string_view where) {
  return read_page<stream_info>(reply, where, "streams");
}

page<consumer_info> read_consumer_list(std::string_view reply, std::string_view where) {
  return read_page<consumer_info>(reply, where, "consumers");
}

stored_message read_stored_message(std::string_view reply, std::string_view where) {
  const reply_document document(reply, where);
  const json_path path{&document.path(), "message"};
  const auto wire = document.member<wire_message>("message");
  if (wire.subject.empty()) fail_reply(path, "no subject");
  return {wire.subject, wire.seq, wire.time, decoded(wire.hdrs, path, "hdrs"), decoded(wire.data, path, "data")};
}

std::uint64_t read_purged(std::string_view reply, std::string_view where) {
  return reply_document(reply, where).member<std::uint64_t>("purged");
}

void read_success(std::string_view reply, std::string_view where) { reply_document(reply, where); }

publish_ack read_publish_ack(std::string_view reply, std::string_view where) {
  const reply_document document(reply, where);
  auto ack = document.as<publish_ack>();
  if (ack.stream.empty()) fail_reply(document.path(), "an acknowledgement without stream");
  return ack;
}

}  // namespace compass_fabric::jetstream
