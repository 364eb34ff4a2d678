// SPDX-License-Identifier: Apache-2.0
// API replies to structures. Every function throws `api_error` for the server's error and `errc::invalid_reply`, with
// the path of the member, for what is not such a reply; both name `where` (the stream, the consumer or the subject).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <compass_fabric/jetstream/info.hpp>

namespace compass_fabric::jetstream {

/// One page of a list, and how many entries all pages have.
template <class T>
struct page {
  std::vector<T> entries;
  std::uint64_t total = 0;
};

stream_info read_stream_info(std::string_view reply, std::string_view where);
consumer_info read_consumer_info(std::string_view reply, std::string_view where);
account_info read_account_info(std::string_view reply, std::string_view where);
page<std::string> read_stream_names(std::string_view reply, std::string_view where);
page<stream_info> read_stream_list(std::string_view reply, std::string_view where);
page<consumer_info> read_consumer_list(std::string_view reply, std::string_view where);
stored_message read_stored_message(std::string_view reply, std::string_view where);
/// The count of removed messages.
std::uint64_t read_purged(std::string_view reply, std::string_view where);
/// For replies that only say whether it worked.
void read_success(std::string_view reply, std::string_view where);
/// An acknowledgement must name its stream: any subscriber of the subject could have answered.
publish_ack read_publish_ack(std::string_view reply, std::string_view where);

}  // namespace compass_fabric::jetstream
