// SPDX-License-Identifier: Apache-2.0
#include "fabric/digest.hpp"

#include <compass_fabric/fabric/event_ref.hpp>

#include <simdjson.h>

namespace compass_fabric::fabric {
namespace {

std::optional<fault> check_text(std::string_view field, std::string_view text) {
  const auto refuse = [&](const char* rule) { return fault{errc::invalid_field, std::string(field) + ": " + rule}; };
  if (text.empty()) return refuse("must not be empty");
  if (text.find('\0') != text.npos) return refuse("must not hold a NUL byte");
  if (!simdjson::validate_utf8(text.data(), text.size())) return refuse("must be UTF-8");
  return std::nullopt;
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out.push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (byte < 0x20) {
      out.append("\\u00").push_back(digits[byte >> 4]);
      out.push_back(digits[byte & 15]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(out.empty() ? "{" : ",");
  append_json_string(out, name);
  out.push_back(':');
  append_json_string(out, value);
}

void append_prefixed(std::string& out, std::string_view value) {
  if (!out.empty()) out.push_back('|');
  out.append(std::to_string(value.size())).append(":").append(value);
}

fault malformed(std::string text) { return {errc::malformed_event, std::move(text)}; }

/// The fields a reference may have, as they are found.
struct found_fields {
  std::optional<std::string> tenant, kind, row_id, revision;

  std::optional<std::string>* slot(std::string_view name) {
    if (name == "tenant") return &tenant;
    if (name == "kind") return &kind;
    if (name == "row_id") return &row_id;
    if (name == "revision") return &revision;
    return nullptr;
  }
};

using json_field = simdjson::simdjson_result<simdjson::ondemand::field>;

std::optional<fault> take_field(json_field field, found_fields& found) {
  std::string_view name;
  if (field.unescaped_key().get(name)) return malformed("payload: not valid JSON");
  const auto slot = found.slot(name);
  if (!slot) return std::nullopt;
  const std::string field_name(name);  // the view dies with the next string the parser unescapes
  if (*slot) return malformed(field_name + ": given twice");
  std::string_view value;
  if (field.value().get_string().get(value)) return malformed(field_name + ": must be a JSON string");
  slot->emplace(value);
  return std::nullopt;
}

std::optional<fault> read_fields(std::string_view json, found_fields& found) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(json);
  simdjson::ondemand::document document;
  if (parser.iterate(padded).get(document)) return malformed("payload: not valid JSON");
  simdjson::ondemand::object object;
  if (document.get_object().get(object)) return malformed("payload: not a JSON object");
  for (auto field : object) {
    if (auto problem = take_field(field, found)) return problem;
  }
  const char* rest;  // exists only when something follows the object
  if (!document.current_location().get(rest)) return malformed("payload: not one JSON object");
  return std::nullopt;
}

boost::system::result<event_ref, fault> assemble(found_fields&& found) {
  if (!found.tenant) return malformed("tenant: missing");
  if (!found.kind) return malformed("kind: missing");
  if (!found.row_id) return malformed("row_id: missing");
  const auto kind = parse_event_kind(*found.kind);
  if (!kind) return unknown_kind_fault();
  event_ref ref{std::move(*found.tenant), *kind, std::move(*found.row_id), std::move(found.revision)};
  if (auto problem = check(ref)) return *std::move(problem);
  return ref;
}

}  // namespace

std::optional<fault> check(const event_ref& ref) {
  if (auto problem = check_subject_token("tenant", ref.tenant)) return problem;
  if (auto problem = check_text("tenant", ref.tenant)) return problem;
  if (!valid_event_kind(ref.kind)) return unknown_kind_fault();
  if (auto problem = check_text("row_id", ref.row_id)) return problem;
  return ref.revision ? check_text("revision", *ref.revision) : std::nullopt;
}

std::string encode(const event_ref& ref) {
  if (const auto problem = check(ref)) throw_fault(*problem);
  std::string json;
  append_field(json, "tenant", ref.tenant);
  append_field(json, "kind", to_string(ref.kind));
  append_field(json, "row_id", ref.row_id);
  if (ref.revision) append_field(json, "revision", *ref.revision);
  json.push_back('}');
  return json;
}

boost::system::result<event_ref, fault> decode_event_ref(std::string_view json) {
  found_fields found;
  if (auto problem = read_fields(json, found)) return *std::move(problem);
  return assemble(std::move(found));
}

std::string message_id(const event_ref& ref) {
  std::string input;
  append_prefixed(input, ref.tenant);
  append_prefixed(input, to_string(ref.kind));
  append_prefixed(input, ref.row_id);
  if (ref.revision) append_prefixed(input, *ref.revision);
  return sha256_hex(input);
}

}  // namespace compass_fabric::fabric
