// SPDX-License-Identifier: Apache-2.0
// Which servers a connection knows, which one comes next, and leaving one that still works.
#include "client/connection_core.hpp"
#include "client/option_check.hpp"

namespace compass_fabric::client {

std::vector<known_server> connection_core::servers() const {
  std::vector<known_server> all;
  for (std::size_t i = 0; i != pool_.size(); ++i) {
    const auto member = pool_.at(i);
    all.push_back({proto::authority(member.url), member.announced, member.attempts});
  }
  return all;
}

void connection_core::set_servers(const std::vector<std::string>& addresses) {
  if (addresses.empty()) throw_error(errc::invalid_option, "servers must not be empty");
  auto urls = parse_servers(addresses, options_.tls);
  pool_.replace(std::move(urls), attempting_ || link_ != nullptr);
  if (options_.randomize_servers) pool_.shuffle(random_(), attempting_ || link_ != nullptr);
  complete_all(pausing_, {});  // the new servers are tried at once
}

void connection_core::reconnect() {
  complete_all(pausing_, {});
  if (!link_ || !link_->ready()) return;
  flush_link();  // best effort for what was published just before
  link_->close(errc::reconnect_requested);
}

// The user's choice comes first, for it may begin a new pass, which has a pause.
std::optional<std::chrono::milliseconds> connection_core::next_pause() {
  if (options_.choose_server) {
    std::string wanted;
    turns_->guarded([&] { wanted = options_.choose_server(servers()); });
    if (!wanted.empty()) pool_.prefer(wanted);
  }
  const auto choice = pool_.next(static_cast<std::uint32_t>(random_()));
  if (!choice) return std::nullopt;
  auto delay = choice->delay;
  if (choice->begins_pass && options_.reconnect.backoff)
    turns_->guarded(
        [&] { delay = std::max(options_.reconnect.backoff(choice->passes), std::chrono::milliseconds(0)); });
  return delay;
}

void connection_core::merge_announced(const server_info& info) {
  if (!options_.use_announced_servers) return;
  const auto before = pool_.size();
  const auto accept = [&](const std::string& address) {
    bool accepted = false;
    turns_->guarded([&] { accepted = !options_.accept_announced || options_.accept_announced(address); });
    return accepted;
  };
  const auto fresh = pool_.merge(info.connect_urls, accept);
  if (options_.randomize_servers && pool_.size() > before) pool_.shuffle(random_(), true);
  if (fresh.empty()) return;
  auto discovered = event(event_kind::servers_discovered);
  for (const auto& address : fresh) discovered.text += (discovered.text.empty() ? "" : ",") + address;
  events_->emit(std::move(discovered));
}

// It may come while the link is still being made: it is left once it is ready.
void connection_core::on_lame_duck(const server_info& info) {
  on_info(info);
  events_->emit(event(event_kind::lame_duck));
  if (link_->ready()) plan_leaving();
}

// With another server to go to, the dying one is left before it cuts the link, at a random moment so that not all of
// its clients arrive elsewhere at once.
void connection_core::plan_leaving() {
  pool_.leaving();
  if (!options_.reconnect.enabled || !options_.reconnect.leave_lame_duck || pool_.size() < 2) return;
  const auto spread = static_cast<std::uint64_t>(options_.reconnect.jitter.count());
  const std::chrono::milliseconds delay(random_() % (spread + 1));  // at most what 32 bits hold
  turns_->set_deadline(leave_alarm_, proto::deadline_after(scheduler::now(), delay));
}

void connection_core::leave_link() {
  if (link_) link_->leave(errc::server_shutting_down);
}

}  // namespace compass_fabric::client
