// SPDX-License-Identifier: Apache-2.0
// The client in one include. JetStream is `jetstream/jetstream.hpp`, the event fabric `fabric/fabric.hpp`.
#pragma once

#include <compass_fabric/address_order.hpp>
#include <compass_fabric/async.hpp>
#include <compass_fabric/connection.hpp>
#include <compass_fabric/connection_event.hpp>
#include <compass_fabric/credentials.hpp>
#include <compass_fabric/dial_options.hpp>
#include <compass_fabric/error.hpp>
#include <compass_fabric/event_stream.hpp>
#include <compass_fabric/headers.hpp>
#include <compass_fabric/instrumentation.hpp>
#include <compass_fabric/latency_histogram.hpp>
#include <compass_fabric/message.hpp>
#include <compass_fabric/options.hpp>
#include <compass_fabric/proxy_options.hpp>
#include <compass_fabric/secret.hpp>
#include <compass_fabric/server_info.hpp>
#include <compass_fabric/subject_literal.hpp>
#include <compass_fabric/subscription.hpp>
#include <compass_fabric/tls_options.hpp>
#include <compass_fabric/trace_context.hpp>
#include <compass_fabric/transport.hpp>
#include <compass_fabric/websocket_options.hpp>
