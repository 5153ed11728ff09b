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

    /**
     * Why the debug side can't be told what production is told; null if it can. Broadcasts are about keys that the
     * connection hasn't read, so that nobody knows which recorded reply they come after.
     */
    public static @Nullable String refusal(RedisCommand command, int version) {
        String mode = of(command);
        if (mode.contains("-BCAST") || mode.contains("-REDIRECT")) {
            return "invalidations in the modes BCAST and REDIRECT aren't replayed";
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
        List<String> keys = new ArrayList<>();
        if (items.get(1) instanceof RespValue.Array array && array.items() != null) {
            for (RespValue key : array.items()) {
                if (key instanceof RespValue.Bulk bulk && bulk.bytes() != null) {
                    keys.add(Topic.name(bulk.bytes()));
                }
            }
        }
        return keys;
    }
}
