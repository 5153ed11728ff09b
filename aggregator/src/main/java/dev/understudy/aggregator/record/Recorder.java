package dev.understudy.aggregator.record;

import dev.understudy.aggregator.exchange.RecordedReply;

/** How one protocol records: opens a recorder for each production connection. */
@FunctionalInterface
public interface Recorder<R extends RecordedReply> {
    ConnectionRecorder open(Recording<R> recording);
}
