package dev.understudy.aggregator.redis;

import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ids by which a server knows its clients, of both sides: debug connections have their own, which no connection of
 * production's has, and a command that names one counts as one that names what it stands for.
 *
 * <p>An id stands for the connection that names it itself, or for another one, with that one's name if it has one. An
 * id of which nobody knows whose it is stands for itself. Bounded; safe for all threads: guarded by {@code this}.
 */
final class ClientIds {
    /** No server that counts its clients from 1 gets so far. */
    private static final long FIRST = 1_000_000_000_000L;

    private static final int MOST = 100_000;
    private static final int MOST_DIGITS = 18;
    private static final Pattern OWN = Pattern.compile("^((?:txt:)?id=)(\\d{1," + MOST_DIGITS + "})(?= )");

    private final Map<Long, RedisClient> production = new LinkedHashMap<>();
    private final Map<Long, RedisClient> debug = new LinkedHashMap<>();
    private long last = FIRST;

    /** One connection; its name is changed by its own event loop only. */
    static final class RedisClient {
        private final ClientIds all;
        private final boolean copied;
        private final long id;
        private volatile String name = "";

        private RedisClient(ClientIds all, boolean copied, long id) {
            this.all = all;
            this.copied = copied;
            this.id = id;
        }

        /** The id of a debug connection; 0 for one of production's. */
        long id() {
            return id;
        }

        void rename(String to) {
            name = to;
        }

        /** Production's server gave it this id. */
        void learn(long given) {
            all.learn(this, given);
        }

        /** The command with what the ids stand for in their place; itself if it names none. */
        RedisCommand named(RedisCommand command) {
            return command.name().equals("CLIENT") ? all.named(command, this) : command;
        }

        /** What the server said of production's own connection, as it would of this one. */
        byte[] own(RedisCommand command, byte[] wire) {
            return isInfo(command) ? rewritten(wire, id) : wire;
        }
    }

    /** One more connection of production's. */
    RedisClient ofProduction() {
        return new RedisClient(this, false, 0);
    }

    /** One more debug connection. */
    synchronized RedisClient ofDebug() {
        do {
            last++;
        } while (production.containsKey(last));
        RedisClient client = new RedisClient(this, true, last);
        put(debug, last, client);
        return client;
    }

    /** The id that a reply to {@code CLIENT INFO} gives to the connection that asked; 0 if it doesn't. */
    static long ownId(RedisCommand command, RespValue reply) {
        if (!isInfo(command)) {
            return 0;
        }
        String text = reply instanceof RespValue.Bulk bulk && bulk.bytes() != null
                ? new String(bulk.bytes(), StandardCharsets.ISO_8859_1)
                : reply instanceof RespValue.Verbatim verbatim
                        ? new String(verbatim.bytes(), StandardCharsets.ISO_8859_1)
                        : "";
        Matcher own = OWN.matcher(text);
        return own.find() ? Long.parseLong(own.group(2)) : 0;
    }

    private static boolean isInfo(RedisCommand command) {
        return command.name().equals("CLIENT") && command.word(0).equals("INFO");
    }

    private static byte[] rewritten(byte[] wire, long id) {
        String text = new String(wire, StandardCharsets.ISO_8859_1);
        int line = text.indexOf("\r\n");
        boolean sized = line > 0 && text.endsWith("\r\n") && (text.charAt(0) == '$' || text.charAt(0) == '=');
        Matcher own = OWN.matcher(sized ? text.substring(line + 2, Math.max(line + 2, text.length() - 2)) : "");
        if (!own.find()) {
            return wire;
        }
        String said = own.replaceFirst("$1" + id);
        return (text.charAt(0) + "" + said.length() + "\r\n" + said + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private synchronized void learn(RedisClient client, long id) {
        if (id > 0) {
            put(production, id, client);
        }
    }

    private static void put(Map<Long, RedisClient> clients, long id, RedisClient client) {
        clients.remove(id);
        clients.put(id, client);
        if (clients.size() > MOST) {
            clients.remove(clients.keySet().iterator().next());
        }
    }

    private RedisCommand named(RedisCommand command, RedisClient asking) {
        List<byte[]> named = new ArrayList<>(command.arguments());
        boolean ids = command.word(0).equals("UNBLOCK");
        boolean some = false;
        for (int i = 1; i < named.size(); i++) {
            String meant = ids ? meaning(command.text(i), asking) : null;
            if (meant != null) {
                named.set(i, meant.getBytes(StandardCharsets.UTF_8));
                some = true;
            } else {
                // CLIENT KILL ID 7, CLIENT LIST ID 7 8, CLIENT TRACKING ON REDIRECT 7
                ids = command.word(i).equals("ID") || command.word(i).equals("REDIRECT");
            }
        }
        return some ? new RedisCommand(command.name(), named, command.hash()) : command;
    }

    private @Nullable String meaning(String text, RedisClient asking) {
        if (text.isEmpty() || text.length() > MOST_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        long id = Long.parseLong(text);
        RedisClient meant;
        synchronized (this) {
            meant = asking.copied ? debug.get(id) : null;
            meant = meant == null ? production.get(id) : meant;
        }
        if (meant == null) {
            return null;
        }
        return meant == asking
                ? "<its own id>"
                : "<id of another client" + (meant.name.isEmpty() ? ">" : " " + meant.name + ">");
    }
}
