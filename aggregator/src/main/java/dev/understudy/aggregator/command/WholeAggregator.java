package dev.understudy.aggregator.command;

import dev.understudy.aggregator.Aggregator;
import dev.understudy.relay.split.ProxyRun;
import java.time.Duration;
import java.util.List;

/** An aggregator in one process. */
record WholeAggregator(Aggregator aggregator, Duration drain) implements ProxyRun {
    @Override
    public String ready() {
        return aggregator.ready();
    }

    @Override
    public List<String> lastLines() {
        return List.of(aggregator.fidelity());
    }

    @Override
    public void close() {
        aggregator.drain(drain);
        aggregator.close();
    }

    @Override
    public void hurry() {
        aggregator.hurry();
    }
}
