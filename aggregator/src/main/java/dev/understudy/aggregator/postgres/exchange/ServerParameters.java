package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.fact.ServerKey;
import java.util.Map;

/** The parameters that the server announces when a session begins, by the names that it gives them. */
public record ServerParameters(Map<String, String> values) {
    /** The key under which they are a fact. */
    public static final ServerKey<ServerParameters> KEY = new ServerKey<>("parameters", ServerParameters.class);

    public ServerParameters {
        values = Map.copyOf(values);
    }
}
