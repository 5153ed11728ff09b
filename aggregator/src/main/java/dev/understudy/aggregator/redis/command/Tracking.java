package dev.understudy.aggregator.redis.command;

import dev.understudy.aggregator.redis.push.Topic;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How Redis tracks what a client has read, for its cache: {@code CLIENT TRACKING} and what follows from it. */
public final class Tracking {
    /** Where a client in version 2 is told what is redirected to it. */
    public static final String CHANNEL = "__redis__:invalidate";

    private static final Set<String> MODES = Set.of("BCAST", "OPTIN", "OPTOUT", "REDIRECT");

    private Tracking() {}

    public static boolean isTurnedBy(RedisCommand command) {
        return command.name().equals("CLIENT") && command.word(0).equals("TRACKING");
    }

    /** The name of what the command switches on; {@code ""} if it switches it off. */
    public static String of(RedisCommand command) {
        if (!command.word(1).equals("ON")) {
            return "";
        }
        StringBuilder mode = new StringBuilder("TRACKING");
        for (int i = 2; i < command.arguments().size(); i++) {
            if (MODES.contains(command.word(i))) {
                mode.append('-').append(command.word(i));
            }
        }
        return mode.toString();
    }

    /** The id of the client that is told instead of the one that reads; 0 if there is none. */
    public static long redirection(RedisCommand command) {
        if (!isTurnedBy(command) || !command.word(1).equals("ON")) {
            return 0;
        }
        for (int i = 2; i < command.arguments().size(); i++) {
            if (command.word(i).equals("REDIRECT")) {
                return command.text(i + 1).matches("\\d{1,18}") ? Long.parseLong(command.text(i + 1)) : 0;
            }
        }
        return 0;
    }

    /**
     * Why the debug side can't be told what production is told; null if it can. Broadcasts are about keys that the
     * connection hasn't read, so that nobody knows which recorded reply they come after.
     *
     * @param reachable whether the client of its {@link #redirection} is there
     */
    public static @Nullable String refusal(RedisCommand command, int version, boolean reachable) {
        String mode = of(command);
        if (mode.contains("-BCAST")) {
            return "invalidations in the mode BCAST aren't replayed";
        }
        if (mode.contains("-REDIRECT")) {
            return reachable ? null : "no debug connection has the id that invalidations are redirected to";
        }
        return version == 3 || mode.isEmpty() ? null : "invalidations are replayed in version 3 of the protocol only";
    }

    /** The keys that a push tells to forget, none for all of them; null if it is another push. */
    public static @Nullable List<String> forgotten(RespValue.Push push) {
        List<RespValue> items = push.items();
        boolean tells = items.size() == 2
                && items.get(0) instanceof RespValue.Bulk word
                && word.bytes() != null
                && Topic.name(word.bytes()).equals("invalidate");
        if (!tells) {
            return null;
        }
        return keys(items.get(1));
    }

    /** The same of a message in version 2, to a client that invalidations of others are redirected to. */
    public static @Nullable List<String> redirected(RespValue message) {
        List<RespValue> items = message instanceof RespValue.Array array ? array.items() : null;
        if (items == null || items.size() != 3) {
            return null;
        }
        boolean tells = items.get(1) instanceof RespValue.Bulk channel
                && channel.bytes() != null
                && Topic.name(channel.bytes()).equals(CHANNEL)
                && !(items.get(2) instanceof RespValue.Bulk text && text.bytes() != null);
        return tells ? keys(items.get(2)) : null;
    }

    private static List<String> keys(RespValue told) {
        List<String> keys = new ArrayList<>();
        if (told instanceof RespValue.Array array && array.items() != null) {
            for (RespValue key : array.items()) {
                if (key instanceof RespValue.Bulk bulk && bulk.bytes() != null) {
                    keys.add(Topic.name(bulk.bytes()));
                }
            }
        }
        return keys;
    }
}
