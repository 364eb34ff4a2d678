// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "json_line.hpp"

#include <compass_fabric/fabric/event_fabric.hpp>

#include <string>

namespace fabricctl {

namespace fabric = compass_fabric::fabric;

boost::asio::awaitable<int> run(session& s, const provision_arguments& a) {
  const auto warn = [&](const fabric::fabric_event& e) { s.warn(one_line(to_string(e))); };
  fabric::event_fabric events(s.nc(), a.settings, warn);
  const auto report = co_await events.provision(a.mode);
  const auto& stream = report.stream;
  const auto replicas = static_cast<std::uint64_t>(stream.config.replicas.value_or(1));
  if (s.common().json) {
    json_line line;
    line.text("stream", stream.config.name).number("replicas", replicas).boolean("fell_back", report.fell_back);
    s.print(line.number("messages", stream.state.messages).str());
  } else {
    s.print("stream " + stream.config.name + ": replicas " + std::to_string(replicas) + ", messages " +
            std::to_string(stream.state.messages));
  }
  co_return 0;
}

}  // namespace fabricctl
