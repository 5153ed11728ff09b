package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a client's start-up packet asks for, whoever the client is: the database, and settings. Under it is known
 * whether production's server let such sessions in ({@link TimedAnswers.OfSession}).
 */
public record StartOptions(Map<String, String> values) {
    /** What the server says of one it lets in. */
    public static final PgMessage ACCEPTED = new PgMessage('Z', new byte[] {'I'});

    private static final Set<String> OF_THE_CLIENT = Set.of("user", "application_name");
    private static final Set<String> OF_THE_OPTIONS = Set.of("0A", "22", "3D");
    private static final String UNKNOWN_SETTING = "42704";

    public StartOptions {
        values = Map.copyOf(values);
    }

    /** Those of a start-up packet. */
    public static StartOptions of(Map<String, String> parameters) {
        Map<String, String> values = new TreeMap<>(parameters);
        String user = values.getOrDefault("user", "");
        values.putIfAbsent("database", user);
        values.keySet().removeAll(OF_THE_CLIENT);
        return new StartOptions(values);
    }

    /** Whether an error at the start is due to these, and not to the client, or to how busy the server is. */
    public static boolean refuses(PgMessage error) {
        return OF_THE_OPTIONS.contains(PgErrors.stateClass(error)) || UNKNOWN_SETTING.equals(PgErrors.state(error));
    }

    /** Bytes of memory that they take. */
    public long bytes() {
        return values.entrySet().stream()
                .mapToLong(entry ->
                        100L + entry.getKey().length() + entry.getValue().length())
                .sum();
    }
}
