package dev.understudy.it.localisation;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of some protocol; for any threads. */
interface Asker extends AutoCloseable {
    /**
     * Asks once.
     *
     * @return the last reply's status, or how it begins; 0 if there was none in time
     */
    String ask(Ask ask, Random random) throws IOException, InterruptedException;

    /** A client of the bug's protocol for a port of loopback. */
    static Asker of(Bug bug, int port) {
        return switch (bug.client()) {
            case "http" -> new HttpAsker(port);
            case "redis" -> new RedisAsker(port);
            case "postgres" -> new PostgresAsker(port, bug.database());
            case "zookeeper" -> new ZooKeeperAsker(port);
            default ->
                throw new IllegalArgumentException(
                        "client: " + bug.client() + " (expected: http, redis, postgres or zookeeper)");
        };
    }

    /** Closes what is open. */
    @Override
    default void close() throws IOException {
        // most keep nothing open
    }

    /** A text with numbers and repetitions in the place of what stands for them. */
    static String filled(String text, Random random) {
        Matcher numbers = Pattern.compile("\\{(\\d+)\\.\\.(\\d+)}").matcher(text);
        String numbered = numbers.replaceAll(found -> {
            int least = Integer.parseInt(found.group(1));
            return Integer.toString(least + random.nextInt(Integer.parseInt(found.group(2)) - least + 1));
        });
        return Pattern.compile("\\{([^{}]*)\\*(\\d+)}")
                .matcher(numbered)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1).repeat(Integer.parseInt(found.group(2)))));
    }

    /** Begins what is said on a second connection. */
    String OTHER = "other: ";

    /** Stands for how many messages have come there that nobody asked for, since that was asked last. */
    String RECEIVED = "{received}";

    /** The texts filled. */
    static List<String> filled(List<String> texts, Random random) {
        return texts.stream().map(text -> filled(text, random)).toList();
    }
}
