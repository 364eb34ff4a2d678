// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <compass_fabric/connection.hpp>

#include <CLI/CLI.hpp>

#include <map>

namespace fabricctl {
namespace {

namespace fabric = compass_fabric::fabric;

constexpr int bad_usage = 2;

/// "5s", "500ms", "2m"; a bare number means seconds.
CLI::Validator duration() {
  return CLI::AsNumberWithUnit(
      std::map<std::string, std::int64_t>{{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}},
      CLI::AsNumberWithUnit::CASE_SENSITIVE, "TIME");
}

/// A bare number has no unit, which the transformer above would take as milliseconds.
std::string with_unit(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos ? text + "s" : text;
}

void add_duration(CLI::App& app, const std::string& name, std::chrono::milliseconds& target, const std::string& help) {
  const auto keep = [&target](const std::int64_t& value) { target = std::chrono::milliseconds(value); };
  app.add_option_function<std::int64_t>(name, keep, help + " (such as 500ms, 5s, 2m)")
      ->transform(duration())
      ->transform([](const std::string& text) { return with_unit(text); })
      ->check(CLI::PositiveNumber);
}

void add_common(CLI::App& app, common_options& o) {
  app.add_option("--context", o.context,
                 "a context of the NATS command line; without one and without a server, its selected context");
  app.add_option("--server", o.server, "servers, comma-separated; at last nats://127.0.0.1:4222")->envname("NATS_URL");
  app.add_option("--user", o.user, "user name")->envname("NATS_USER");
  app.add_option("--password", o.password, "password")->envname("NATS_PASSWORD");
  app.add_option("--token", o.token, "token");
  app.add_option("--creds", o.creds, "credentials file")->envname("NATS_CREDS");
  app.add_option("--nkey", o.nkey, "file with a user's seed")->envname("NATS_NKEY");
  app.add_option("--tls-ca", o.ca, "file with the authorities to trust instead of the system's")->envname("NATS_CA");
  app.add_option("--tls-cert", o.cert, "file with this client's certificate")->envname("NATS_CERT");
  app.add_option("--tls-key", o.key, "file with the certificate's key")->envname("NATS_KEY");
  app.add_flag("--tls-first", o.tls_first, "TLS from the first byte on");
  app.add_option("--proxy", o.proxy, "http://host:port or socks5://host:port");
  app.add_option("--inbox-prefix", o.inbox_prefix, "first tokens of reply subjects; default _INBOX");
  app.add_option("--connection-name", o.name, "shown by the server's monitoring");
  app.add_flag("--no-echo", o.no_echo, "own messages do not come back");
  app.add_flag("--randomize", o.randomize, "try the servers in random order");
  app.add_flag("--ignore-announced", o.ignore_announced, "use none but the servers given");
  app.add_flag("--retry-connect", o.retry_connect, "go on until a server answers");
  app.add_option("--max-reconnects", o.max_reconnects, "failed attempts before a server is given up; -1 = none");
  add_duration(app, "--ping-interval", o.ping_interval, "silence after which the server is asked for life");
  add_duration(app, "--timeout", o.timeout, "time for connecting and for each answer");
  app.add_flag("--json", o.json, "one JSON object per line");
}

template <class T>
void add_count(CLI::App& app, std::optional<T>& count, const std::string& help) {
  app.add_option("--count", count, help)->check(CLI::PositiveNumber);
}

/// A command that, when it is the one given, stores its arguments as the chosen one.
template <class Arguments>
std::pair<CLI::App*, Arguments*> add_command(CLI::App& app, command& chosen, const std::string& name,
                                             const std::string& help) {
  auto own = std::make_shared<Arguments>();
  auto* sub = app.add_subcommand(name, help);
  sub->fallthrough();
  sub->callback([own, &chosen] { chosen = *own; });
  return {sub, own.get()};
}

void add_core_commands(CLI::App& app, command& chosen) {
  auto [pub, p] = add_command<pub_arguments>(app, chosen, "pub", "publish a message");
  pub->add_option("SUBJECT", p->subject)->required();
  pub->add_option("PAYLOAD", p->payload, "the payload; - reads standard input");
  pub->add_option("-H,--header", p->fields, "a header field, 'Name: value'")->allow_extra_args(false);
  pub->add_option("--reply", p->reply, "where an answer goes");
  pub->add_option("--count", p->count, "publish so many times")->check(CLI::PositiveNumber);

  auto [sub, s] = add_command<sub_arguments>(app, chosen, "sub", "print messages");
  sub->add_option("SUBJECT", s->subject)->required();
  sub->add_option("--queue", s->queue, "share the messages with this queue group");
  add_count(*sub, s->count, "end after so many messages");

  auto [request, r] = add_command<request_arguments>(app, chosen, "request", "send a request and print the answer");
  request->add_option("SUBJECT", r->subject)->required();
  request->add_option("PAYLOAD", r->payload)->required();

  auto [reply, a] = add_command<reply_arguments>(app, chosen, "reply", "answer requests");
  reply->add_option("SUBJECT", a->subject)->required();
  reply->add_option("PAYLOAD", a->payload)->required();
  add_count(*reply, a->count, "end after so many requests");
}

/// An option whose value is one of the keys of `choices`.
template <class T>
void add_choice(CLI::App& app, const std::string& name, T& target, const std::map<std::string, T>& choices,
                const std::string& help) {
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (const auto& [choice, value] : choices) names.push_back(choice);
  const auto keep = [&target, choices](const std::string& choice) { target = choices.at(choice); };
  app.add_option_function<std::string>(name, keep, help)->check(CLI::IsMember(names));
}

void add_provision(CLI::App& app, command& chosen) {
  using fabric::replica_count;
  using fabric::topology_mode;
  auto [provision, p] = add_command<provision_arguments>(app, chosen, "provision", "make or check the comms stream");
  const std::map<std::string, topology_mode> modes{{"apply", topology_mode::apply}, {"verify", topology_mode::verify}};
  const std::map<std::string, replica_count> replicas{
      {"auto", replica_count::automatic}, {"1", replica_count::one}, {"3", replica_count::three}};
  add_choice(*provision, "--mode", p->mode, modes, "apply, or verify");
  add_choice(*provision, "--replicas", p->settings.replicas, replicas, "auto, 1 or 3");
}

void add_publish(CLI::App& app, command& chosen) {
  auto [publish, p] = add_command<publish_arguments>(app, chosen, "publish", "publish event references");
  auto* from = publish->add_option("--from", p->from, "a file with one reference per line as JSON; - = standard input");
  auto* tenant = publish->add_option("--tenant", p->tenant, "tenant id")->excludes(from);
  auto* kind = publish->add_option("--kind", p->kind, "what changed")->excludes(from)->needs(tenant);
  auto* row = publish->add_option("--row", p->row, "row id")->excludes(from)->needs(tenant)->needs(kind);
  publish->add_option("--revision", p->revision, "tells changes of one row apart")->excludes(from)->needs(row);
  tenant->needs(kind)->needs(row);
  publish->parse_complete_callback([from, tenant] {
    if (from->count() + tenant->count() == 0) throw CLI::RequiredError("--tenant, --kind and --row, or --from");
  });
}

void add_consume(CLI::App& app, command& chosen) {
  auto [consume, c] = add_command<consume_arguments>(app, chosen, "consume", "handle events of one kind");
  consume->add_option("--kind", c->kind, "the kind of event")->required();
  consume->add_option("--tenant", c->tenant, "only this tenant's");
  consume->add_option("--exec", c->command,
                      "shell command to run for each event: the reference as JSON on its standard input, TENANT, KIND, "
                      "ROW_ID (and REVISION) in its environment; a status other than 0 is a failed attempt");
  add_count(*consume, c->count, "end after so many handled events");
  add_duration(*consume, "--ack-wait", c->settings.ack_wait, "time until an unanswered event is delivered again");
  consume->add_option("--max-deliver", c->settings.max_deliver, "attempts before an event is parked")
      ->check(CLI::PositiveNumber);
}

void add_server(CLI::App& app, command& chosen) {
  auto* server = app.add_subcommand("server", "ask who serves the connection");
  server->require_subcommand(1);
  server->fallthrough();
  const auto add = [&](const std::string& name, server_question what, std::uint64_t count, const std::string& help) {
    auto own = std::make_shared<server_arguments>(server_arguments{what, count});
    auto* sub = server->add_subcommand(name, help);
    sub->fallthrough();
    sub->callback([own, &chosen] { chosen = *own; });
    if (what != server_question::info)
      sub->add_option("--count", own->count, "so many times")->check(CLI::PositiveNumber);
  };
  add("info", server_question::info, 1, "print what the server tells about itself, and the servers known");
  add("ping", server_question::ping, 1, "print the time of each round trip");
  add("rtt", server_question::rtt, 5, "print the least, mean and greatest time of some round trips");
}

void add_fabric_commands(CLI::App& app, command& chosen) {
  add_provision(app, chosen);
  add_publish(app, chosen);
  add_consume(app, chosen);
  auto [dlq, d] = add_command<dlq_arguments>(app, chosen, "dlq", "print parked events as they come");
  add_count(*dlq, d->count, "end after so many events");
  add_command<streams_arguments>(app, chosen, "streams", "list the streams");
  add_command<consumers_arguments>(app, chosen, "consumers", "list the comms stream's consumers");
}

/// What is missing is seldom what is wrong where something was not understood: a command that is misspelt, say.
int explain(const CLI::App& app, const CLI::ParseError& e) {
  const auto strange = app.remaining(true);
  const bool missing = dynamic_cast<const CLI::RequiredError*>(&e) != nullptr;
  const int status = missing && !strange.empty() ? app.exit(CLI::ExtrasError("fabricctl", strange)) : app.exit(e);
  return status == 0 ? 0 : bad_usage;
}

}  // namespace

std::variant<arguments, int> parse_arguments(int argc, const char* const* argv) {
  arguments parsed;
  CLI::App app("Event fabric on NATS: publish, consume, inspect.", "fabricctl");
  app.require_subcommand(1);
  add_common(app, parsed.common);
  add_core_commands(app, parsed.chosen);
  add_fabric_commands(app, parsed.chosen);
  add_server(app, parsed.chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return explain(app, e);
  }
  return parsed;
}

}  // namespace fabricctl
