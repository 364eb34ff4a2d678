// SPDX-License-Identifier: Apache-2.0
// Every way to log in, against servers that know users by configuration and by an operator's JWTs.
#include <catch2/generators/catch_generators.hpp>

#include "auth_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("users of the configuration log in by password, bcrypt hash, URL, token and key",
          "[client][row24][row25][row27][row30]") {
  const nkey key(160);
  const temp_dir dir;
  write_file(dir.path() / "seed.txt", "# a key\r\n" + key.seed() + "\r\n");
  nats_server server({.jetstream = false, .extra_config = users_config(key)});
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.user = "ann";
    options.password = "s3cret";
    co_await check_login(options);
    options.user = "bob";  // the server holds a bcrypt hash
    co_await check_login(options);
    options = options_for("nats://ann:s3cret@127.0.0.1:" + std::to_string(server.port()));
    co_await check_login(options);
    options = options_for(server.url());
    options.auth = user_password{"ann", "s3cret"};
    co_await check_login(options);
    options.auth = nkey_seed{key.seed()};
    co_await check_login(options);
    options.auth = nkey_file{dir.path() / "seed.txt"};
    co_await check_login(options);
    options.auth = nkey_signer{key.public_key(), [&](std::string_view nonce) { return key.sign(nonce); }};
    co_await check_login(options);
  });
}

TEST_CASE("a token logs in, also from the URL and from a callback", "[client][row25][row26]") {
  nats_server_options with_token;
  with_token.jetstream = false;
  with_token.token = "t0ken";
  nats_server server(with_token);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.auth = auth_token{"t0ken"};
    co_await check_login(options);
    options = options_for("nats://t0ken@127.0.0.1:" + std::to_string(server.port()));
    co_await check_login(options);
    options = options_for(server.url());
    options.auth_callback = [](const login_request&) -> credentials { return auth_token{"t0ken"}; };
    co_await check_login(options);
  });
}

TEST_CASE("users of an operator log in by credentials file, text, signer and bearer JWT",
          "[client][row28][row29][row30]") {
  const operator_mode op;
  const auto user = op.make_user();
  const temp_dir dir;
  write_file(dir.path() / "unix.creds", user.creds());
  write_file(dir.path() / "windows.creds", with_crlf(user.creds()));
  nats_server server({.jetstream = false, .extra_config = op.server_config()});
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.auth = creds_file{dir.path() / "unix.creds"};
    co_await check_login(options);
    options.auth = creds_file{dir.path() / "windows.creds"};
    co_await check_login(options);
    options.auth = creds_text{user.creds()};
    co_await check_login(options);
    options.auth = user_jwt{user.jwt, [&](std::string_view nonce) { return user.key.sign(nonce); }};
    co_await check_login(options);
    options.auth = user_jwt{op.make_user({.bearer = true}).jwt, {}};
    co_await check_login(options);
  });
}

TEST_CASE("a JWT that makes CONNECT longer than the default control line is sent whole", "[client][row28]") {
  const operator_mode op;
  const auto user = op.make_user({.name = std::string(6000, 'n')});
  nats_server server({.jetstream = false, .extra_config = op.server_config()});
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.auth = creds_text{user.creds()};
    co_await check_login(options);
  });
}

TEST_CASE("a callback that waits gives credentials within the attempt", "[client][row26]") {
  const operator_mode op;
  const auto user = op.make_user();
  nats_server server({.jetstream = false, .extra_config = op.server_config()});
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    std::vector<login_request> asked;
    options.async_auth_callback = [&](login_request r) -> asio::awaitable<credentials> {
      asked.push_back(r);
      co_await asio::post(asio::use_awaitable);
      co_return creds_text{user.creds()};
    };
    co_await check_login(options);
    REQUIRE(asked.size() == 1);
    CHECK(asked[0].server == server.url());
    CHECK_FALSE(asked[0].nonce.empty());
    CHECK(asked[0].attempt == 1);
    CHECK_FALSE(asked[0].last_error);
  });
}

TEST_CASE("a callback that never answers costs one deadline and is cancelled", "[client][row26]") {
  nats_server server({.jetstream = false});
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.connect_timeout = 200ms;
    int cancelled = 0;
    options.async_auth_callback = [&](login_request) -> asio::awaitable<credentials> {
      asio::steady_timer never(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
      const auto [ec] = co_await never.async_wait(asio::as_tuple(asio::use_awaitable));
      if (ec) ++cancelled;
      co_return credentials();
    };
    const auto code = co_await code_of(connect(options));
    CHECK(code == errc::timeout);
    co_await until([&] { return cancelled == 1; });
  });
}

TEST_CASE("closing while the credentials are asked for ends both", "[client]") {
  nats_server server({.jetstream = false});
  run_to_idle([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    bool asked = false;
    options.async_auth_callback = [&](login_request) -> asio::awaitable<credentials> {
      asked = true;
      asio::steady_timer never(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
      co_await never.async_wait(asio::as_tuple(asio::use_awaitable));
      co_return credentials();
    };
    asio::cancellation_signal stop;
    const auto executor = co_await asio::this_coro::executor;
    std::optional<error_code> ended;
    auto done = [&](std::exception_ptr e, connection) { ended = to_error_code(e); };
    asio::co_spawn(executor, connect(options), asio::bind_cancellation_slot(stop.slot(), std::move(done)));
    co_await until([&] { return asked; });
    stop.emit(asio::cancellation_type::terminal);
    co_await until([&] { return ended.has_value(); });
    CHECK(*ended == asio::error::operation_aborted);
  });
}

TEST_CASE("credentials that cannot be used are named with their file and the server, and never shown", "[client]") {
  const operator_mode op;
  const auto user = op.make_user();
  const temp_dir dir;
  const auto damaged = dir.path() / "damaged.creds";
  auto text = user.creds();
  const auto at = text.find(user.key.seed());
  text[at + 20] = text[at + 20] == 'A' ? 'B' : 'A';
  write_file(damaged, text);
  write_file(dir.path() / "account.seed", nkey(0).seed());
  struct bad_case {
    credentials how;
    std::string says;
  };
  const auto short_signer = [](std::string_view) { return std::string("short"); };
  const auto failing_signer = [](std::string_view) -> std::string { throw std::runtime_error("the vault is shut"); };
  const std::vector<bad_case> cases{
      {creds_file{dir.path() / "none.creds"}, "none.creds: No such file or directory"},
      {creds_file{dir.path()}, "Is a directory"},
      {creds_file{damaged}, "damaged.creds: the seed is damaged"},
      {creds_text{"nothing"}, "no JWT block"},
      {nkey_file{dir.path() / "none.seed"}, "none.seed: No such file or directory"},
      {nkey_file{dir.path() / "account.seed"}, "not a user's seed"},
      {nkey_seed{"SUwrong"}, "nkey seed: the seed is damaged"},
      {nkey_signer{"UWRONG", short_signer}, "the public key is not a user's"},
      {nkey_signer{user.key.public_key(), short_signer}, "the signature has 5 bytes instead of 64"},
      {nkey_signer{user.key.public_key(), {}}, "no signer"},
      {user_jwt{"", {}}, "user JWT: it is empty"},
      {user_jwt{user.jwt, failing_signer}, "signer: the vault is shut"},
  };
  nats_server server({.jetstream = false, .extra_config = op.server_config()});
  run([&]() -> asio::awaitable<void> {
    for (const auto& c : cases) {
      auto options = options_for(server.url());
      options.auth = c.how;
      const auto code = co_await code_of(connect(options));
      CHECK(code == errc::invalid_credentials);
      const auto said = co_await text_of(connect(options));
      INFO(said);
      CHECK(said.find(c.says) != std::string::npos);
      CHECK(said.find(server.url()) != std::string::npos);
      CHECK(said.find(user.jwt) == std::string::npos);
      CHECK(said.find(user.key.seed().substr(24)) == std::string::npos);
    }
    auto options = options_for(server.url());
    options.auth_callback = [](const login_request&) -> credentials { throw std::runtime_error("no ticket"); };
    const auto said = co_await text_of(connect(options));
    CHECK(said.find("credentials callback: no ticket") != std::string::npos);
    options.async_auth_callback = [](login_request) -> asio::awaitable<credentials> { co_return credentials(); };
    const auto code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
  });
}

TEST_CASE("a key is not offered to a server that asks for no signature", "[client]") {
  nats_server server({.jetstream = false});
  const auto user = operator_mode().make_user();
  const auto how = GENERATE_COPY(credentials(nkey_seed{user.key.seed()}), credentials(creds_text{user.creds()}));
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.auth = how;
    const auto said = co_await text_of(connect(options));
    CHECK(said.find("asks for no signature") != std::string::npos);
    CHECK(said.find(server.url()) != std::string::npos);
  });
}

TEST_CASE("a wrong password costs one attempt and gives one clear error", "[client][row54]") {
  nats_server_options with_password;
  with_password.jetstream = false;
  with_password.user = "u";
  with_password.password = "right";
  nats_server server(with_password);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.user = "u";
    options.password = "wr0ng";
    event_log events;
    options.on_event = events.handler();
    const auto said = co_await text_of(connect(options));
    CHECK(said.find("Authorization Violation") != std::string::npos);
    CHECK(said.find(proxy.url()) != std::string::npos);
    CHECK(said.find("wr0ng") == std::string::npos);
    co_await until([&] { return events.has(event_kind::closed); });
    CHECK(proxy.connections() == 1);
    CHECK(events.count(event_kind::connect_failed) == 1);
    CHECK(events.last(event_kind::connect_failed).text == "Authorization Violation");
  });
}

TEST_CASE("refused credentials are tried on, slowly, when the option says so", "[client][row34]") {
  nats_server_options with_password;
  with_password.jetstream = false;
  with_password.user = "u";
  with_password.password = "right";
  nats_server server(with_password);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.user = "u";
    options.password = "right";
    options.reconnect.retry_refused_credentials = true;
    options.reconnect.initial_delay = 30ms;
    options.reconnect.max_delay = 30ms;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("s");
    co_await nc.flush(10s);
    const auto start = clock::now();
    server.reload("authorization { user: u, password: changed }");
    co_await until([&] { return events.count(event_kind::connect_failed) >= 6; });
    CHECK(clock::now() - start >= 4 * 30ms);
    server.reload("");
    co_await until([&] { return events.has(event_kind::reconnected); });
    co_await nc.publish("s", "again");
    const auto m = co_await sub.next(10s);
    CHECK(m.payload() == "again");
  });
}
