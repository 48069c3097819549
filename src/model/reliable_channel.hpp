#pragma once

#include "model/reliable_receiver.hpp"
#include "model/reliable_sender.hpp"

/// A channel between two members over a network that loses, delays, doubles and reorders messages.
/// It has no actor and no clock of its own: the members put its runs of items, and the number up to
/// which they have come, into messages that they send anyway.
///
/// The sender numbers items and keeps them until they are acknowledged. An item is sent once, at
/// once; it is sent again only when its acknowledgement is overdue. The receiver hands items out
/// once and in their order, and acknowledges all up to a number.
///
/// Both sides count in a session. A session ends with the life of either side: the sides then begin
/// one with a greater number, and what belongs to another session is refused.
