package dev.understudy.aggregator.record;

import dev.understudy.aggregator.exchange.Reply;

/** How one protocol records: opens a recorder for each production connection. */
@FunctionalInterface
public interface Recorder<R extends Reply> {
    ConnectionRecorder open(Recording<R> recording);
}
