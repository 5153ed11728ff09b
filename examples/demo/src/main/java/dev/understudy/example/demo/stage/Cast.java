package dev.understudy.example.demo.stage;

import java.util.List;

/** The running parts, for those who ask them how it went. */
public record Cast(
        Database database,
        Cache cache,
        Program pricing,
        Program aggregator,
        Program production,
        Program debug,
        Program sidecar) {

    /** The child JVMs. */
    public List<Program> programs() {
        return List.of(pricing, aggregator, production, debug, sidecar);
    }
}
