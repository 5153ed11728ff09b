package dev.understudy.relay.control;

import dev.understudy.relay.lane.MemoryBudget;

/**
 * What all connections of a control port share.
 *
 * @param bodies what requests' bodies are charged to
 */
record ControlResources(
        ControlLimits limits,
        ConnectionRegistry connections,
        MemoryBudget bodies,
        ReplyWriter replies,
        ControlCounts counts,
        AuditLog audit) {
    static ControlResources of(ControlLimits limits, ControlCounts counts, AuditLog audit) {
        return new ControlResources(
                limits,
                new ConnectionRegistry(limits, counts),
                new MemoryBudget(limits.bodyBytes(), null),
                new ReplyWriter(new MemoryBudget(limits.replyBytes(), null), counts),
                counts,
                audit);
    }
}
