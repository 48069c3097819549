#pragma once

#include "model/protocol/reliable_receiver.hpp"
#include "model/protocol/reliable_sender.hpp"

/// A channel between two members over a network that loses, delays, doubles and reorders messages.
/// It has no actor and no clock of its own: the members put its runs of items, and the number up to
/// which items have arrived, into messages that they send anyway.
///
/// The sender numbers items and keeps them until they are acknowledged. It sends an item
/// immediately, and again only when its acknowledgement is overdue. The receiver delivers items
/// once and in order, and acknowledges all items up to a number.
///
/// Numbers belong to a session. A session ends with the incarnation of either side; the sides then
/// start a session with a greater number. Items and acknowledgements of other sessions are refused.
