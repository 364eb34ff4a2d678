// SPDX-License-Identifier: Apache-2.0
// JetStream in one include.
#pragma once

#include <compass_fabric/jetstream/config.hpp>
#include <compass_fabric/jetstream/consumer.hpp>
#include <compass_fabric/jetstream/context.hpp>
#include <compass_fabric/jetstream/error.hpp>
#include <compass_fabric/jetstream/info.hpp>
#include <compass_fabric/jetstream/message.hpp>
#include <compass_fabric/jetstream/message_stream.hpp>
#include <compass_fabric/jetstream/plain_handler.hpp>
#include <compass_fabric/jetstream/publish_options.hpp>
#include <compass_fabric/jetstream/publisher.hpp>
