// SPDX-License-Identifier: Apache-2.0
// Contexts of the NATS command line, its environment variables, and the server command.
#include "tools/fabricctl.hpp"

#include <compass_fabric/testing/temp_dir.hpp>
#include <compass_fabric/testing/test_authority.hpp>
#include "support/operator_mode.hpp"
#include "testing/json_value.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>

using namespace fabricctl_test;
using namespace compass_fabric::testing;

namespace {

/// A configuration directory of its own for fabricctl.
struct config_home {
  temp_dir dir;

  void add(const std::string& name, const std::string& json) const {
    std::filesystem::create_directories(dir.path() / "nats" / "context");
    write_file(dir.path() / "nats" / "context" / (name + ".json"), json);
  }
  void select(const std::string& name) const { write_file(dir.path() / "nats" / "context.txt", name + "\n"); }

  process_result run(std::vector<std::string> arguments, std::vector<std::string> variables = {}) const {
    process_options options;
    options.env = std::move(variables);
    options.env.push_back("XDG_CONFIG_HOME=" + dir.path().string());
    arguments.insert(arguments.begin(), COMPASS_FABRIC_FABRICCTL);
    return run_process(arguments, options, seconds{60});
  }
};

std::string url_member(const nats_server& server) { return R"("url":")" + server.url() + "\""; }

nats_server_options with_user() {
  nats_server_options options;
  options.jetstream = false;
  options.user = "ann";
  options.password = "s3cret";
  return options;
}

}  // namespace

TEST_CASE("a context names server and credentials; the selected one is the default", "[tools]") {
  nats_server server(with_user());
  const config_home home;
  home.add("work", "{" + url_member(server) + R"(,"user":"ann","password":"s3cret","description":"x","nsc":""})");
  const auto named = home.run({"--context", "work", "server", "ping"});
  INFO(named.err);
  CHECK(named.status == 0);
  CHECK(named.out.starts_with("pong from test in "));
  home.select("work");
  CHECK(home.run({"server", "ping"}).status == 0);
  // Another server gets none of its credentials.
  const auto elsewhere = home.run({"--server", server.url(), "server", "ping"});
  CHECK(elsewhere.status == 1);
  CHECK(elsewhere.err.find("uthorization") != std::string::npos);
  // An option or variable wins over the context.
  const auto overridden = home.run({"--context", "work", "--password", "wrong", "server", "ping"});
  CHECK(overridden.status == 1);
  CHECK(overridden.err.find("s3cret") == std::string::npos);
  CHECK(home.run({"server", "ping"}, {"NATS_URL=" + server.url(), "NATS_USER=ann", "NATS_PASSWORD=s3cret"}).status ==
        0);
}

TEST_CASE("keys and credentials files come from options, variables and contexts", "[tools]") {
  const operator_mode op;
  const auto user = op.make_user();
  const config_home home;
  const auto creds = (home.dir.path() / "user.creds").string();
  write_file(creds, user.creds());
  nats_server server({.jetstream = false, .extra_config = op.server_config()});
  home.add("creds", "{" + url_member(server) + R"(,"creds":")" + creds + "\"}");
  home.add("inline",
           "{" + url_member(server) + R"(,"user_jwt":")" + user.jwt + R"(","user_seed":")" + user.key.seed() + "\"}");
  CHECK(home.run({"--context", "creds", "server", "rtt"}).status == 0);
  CHECK(home.run({"--context", "inline", "server", "rtt"}).status == 0);
  CHECK(home.run({"--server", server.url(), "--creds", creds, "server", "rtt"}).status == 0);
  CHECK(home.run({"server", "rtt"}, {"NATS_URL=" + server.url(), "NATS_CREDS=" + creds}).status == 0);

  const nkey key(160);
  const auto seed = (home.dir.path() / "seed").string();
  write_file(seed, key.seed());
  nats_server keyed(
      {.jetstream = false, .extra_config = "authorization { users: [ { nkey: " + key.public_key() + " } ] }"});
  CHECK(home.run({"server", "rtt"}, {"NATS_URL=" + keyed.url(), "NATS_NKEY=" + seed}).status == 0);
  CHECK(home.run({"--server", keyed.url(), "--nkey", seed, "server", "rtt"}).status == 0);
}

TEST_CASE("a context that cannot be used is named with its file", "[tools]") {
  const config_home home;
  home.add("broken", "{");
  home.add("nsc", R"({"nsc":"nsc://op/account/user"})");
  const auto missing = home.run({"--context", "none", "server", "ping"});
  CHECK(missing.status == 1);
  CHECK(missing.err.find("nats/context/none.json: cannot be read") != std::string::npos);
  CHECK(home.run({"--context", "broken", "server", "ping"}).err.find("broken.json: is not a JSON object") !=
        std::string::npos);
  CHECK(home.run({"--context", "nsc", "server", "ping"}).err.find("nsc is not supported") != std::string::npos);
  home.add("domain", R"({"jetstream_domain":"hub"})");
  CHECK(home.run({"--context", "domain", "server", "ping"}).err.find("jetstream_domain is not supported") !=
        std::string::npos);
  home.add("prefix", R"({"jetstream_api_prefix":"$JS.hub.API"})");
  CHECK(home.run({"--context", "prefix", "server", "ping"}).err.find("jetstream_api_prefix is not supported") !=
        std::string::npos);
  CHECK(home.run({"--context", "../x", "server", "ping"}).err.find("not a name") != std::string::npos);
}

TEST_CASE("server info and rtt print what the server tells and how fast it is", "[tools]") {
  nats_server server;
  const auto text = fabricctl(server, {"server", "info"});
  CHECK(text.status == 0);
  CHECK(text.out.find("server\ttest\n") != std::string::npos);
  CHECK(text.out.find("jetstream\tyes\n") != std::string::npos);
  const auto info = fabricctl(server, {"--json", "server", "info"});
  CHECK(json_string(info.out, "/server") == "test");
  CHECK(json_int(info.out, "/max_payload") == 1048576);
  const auto rtt = fabricctl(server, {"--json", "server", "rtt", "--count", "7"});
  CHECK(json_int(rtt.out, "/count") == 7);
  CHECK(json_int(rtt.out, "/max_us").value_or(-1) >= json_int(rtt.out, "/min_us").value_or(0));
  const auto pings = fabricctl(server, {"--json", "server", "ping", "--count", "3"});
  CHECK(lines(pings.out).size() == 3);
  CHECK(run_process({COMPASS_FABRIC_FABRICCTL, "server"}).status == 2);
}

TEST_CASE("authorities, certificate and key come from options, variables and contexts", "[tools][row6][row7][row209]") {
  const test_authority authority("test authority");
  const config_home home;
  const auto put = [&](const std::string& name, const std::string& text) {
    write_file(home.dir.path() / name, text);
    return (home.dir.path() / name).string();
  };
  const auto issued = authority.issue({.names = {"localhost"}, .addresses = {"127.0.0.1"}});
  const auto ca = put("ca.pem", authority.pem());
  const auto cert = put("me.pem", issued.certificate);
  const auto key = put("me.key", issued.key);
  nats_server_options wanted;
  wanted.jetstream = false;
  wanted.tls.cert = cert;
  wanted.tls.key = key;
  wanted.tls.client_ca = ca;
  nats_server server(wanted);
  const std::vector<std::string> ping{"--server", server.url(), "server", "ping"};
  const auto with = [&](std::vector<std::string> options) {
    options.insert(options.end(), ping.begin(), ping.end());
    return options;
  };
  CHECK(home.run(with({"--tls-ca", ca, "--tls-cert", cert, "--tls-key", key})).status == 0);
  CHECK(home.run(ping, {"NATS_CA=" + ca, "NATS_CERT=" + cert, "NATS_KEY=" + key}).status == 0);
  home.add("work",
           "{" + url_member(server) + R"(,"ca":")" + ca + R"(","cert":")" + cert + R"(","key":")" + key + "\"}");
  CHECK(home.run({"--context", "work", "server", "ping"}).status == 0);
  const auto stranger = home.run(with({"--tls-ca", ca}));
  CHECK(stranger.status == 1);
  const auto untrusted = home.run(with({"--tls-cert", cert, "--tls-key", key}));
  CHECK(untrusted.status == 1);
  CHECK(untrusted.err.find("certificate") != std::string::npos);
}

TEST_CASE("a proxy may come from a context", "[tools][row18][row209]") {
  const config_home home;
  home.add("behind", R"({"url":"nats://127.0.0.1:4222","socks_proxy":"socks5://127.0.0.1:9"})");
  const auto result = home.run({"--context", "behind", "server", "ping"});
  CHECK(result.status == 1);
  CHECK(result.err.find("127.0.0.1:9") != std::string::npos);
}

TEST_CASE("a proxy that does not answer fails with its place named", "[tools][row18]") {
  nats_server server(with_user());
  const config_home home;
  const auto result = home.run({"--server", server.url(), "--proxy", "socks5://127.0.0.1:9", "server", "ping"});
  CHECK(result.status == 1);
  CHECK(result.err.find("proxy 127.0.0.1:9") != std::string::npos);
  CHECK(result.err.find("boost") == std::string::npos);
  const auto unclear = home.run({"--server", server.url(), "--proxy", "bogus", "server", "ping"});
  CHECK(unclear.status == 1);
  CHECK(unclear.err.find("a proxy is http://host:port") != std::string::npos);
}
