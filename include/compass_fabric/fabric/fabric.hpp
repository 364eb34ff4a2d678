// SPDX-License-Identifier: Apache-2.0
// The event fabric in one include.
#pragma once

#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/fabric/dead_letter.hpp>
#include <compass_fabric/fabric/error.hpp>
#include <compass_fabric/fabric/event.hpp>
#include <compass_fabric/fabric/event_fabric.hpp>
#include <compass_fabric/fabric/event_kind.hpp>
#include <compass_fabric/fabric/event_ref.hpp>
#include <compass_fabric/fabric/event_subscription.hpp>
#include <compass_fabric/fabric/fabric_event.hpp>
#include <compass_fabric/fabric/retry_policy.hpp>
#include <compass_fabric/fabric/subject.hpp>
#include <compass_fabric/fabric/subject_token.hpp>
