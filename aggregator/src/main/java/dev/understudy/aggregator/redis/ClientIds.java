package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.redis.command.ClientLines.ClientLine;
import dev.understudy.aggregator.redis.push.Invalidations;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** After these ids follow. */
    private static final Set<String> KEYS = Set.of("ID", "REDIRECT");

    private final Map<Long, RedisClient> production = new LinkedHashMap<>();
    private final Map<Long, RedisClient> debug = new LinkedHashMap<>();
    private long last = FIRST;

    /** One connection; what is known of it is changed by its own event loop, or under the lock of all. */
    static final class RedisClient {
        private final ClientIds all;
        private final boolean copied;
        private final long id;
        private volatile String name = "";
        private volatile long redirection;

        /** A debug connection that is open; else null. */
        private volatile @Nullable RedisPeer peer;

        /** Of either side; another client may have its id after the server's restart. */
        private volatile boolean isClosed;

        /** What a connection of production's is told of others' reads; null as long as we don't hear that. */
        private volatile @Nullable Invalidations received;

        /** Production's server gave it this id; 0 as long as that isn't known. */
        private volatile long given;

        private RedisClient(ClientIds all, boolean copied, long id) {
            this.all = all;
            this.copied = copied;
            this.id = id;
        }

        /** The id of a debug connection; 0 for one of production's. */
        long id() {
            return id;
        }

        String name() {
            return name;
        }

        void rename(String to) {
            name = to;
        }

        /** Who is told, on its own side, what this one has read and has to forget; 0 if it is itself. */
        long redirection() {
            return redirection;
        }

        void redirect(long to) {
            redirection = to;
        }

        /** The other one is told to forget a key that this debug connection has read. */
        void redirect(String key) {
            RedisPeer other = all.peer(redirection);
            if (other != null) {
                other.forget(key);
            }
        }

        /** Whether there is such a debug connection. */
        boolean reaches(long other) {
            return all.peer(other) != null;
        }

        /** A debug connection begins. */
        void open(RedisPeer connection) {
            peer = connection;
        }

        /** It is over, or not followed any more; its id keeps its meaning until another client has it. */
        void close() {
            isClosed = true;
            peer = null;
        }

        /** Where a connection of production's has what it is told of others' reads. */
        void receive(Invalidations told) {
            received = told;
        }

        /** What another connection of production's is told of this one's reads; null if we don't hear that. */
        @Nullable
        Invalidations redirected(long other) {
            RedisClient told = all.ofProduction(other);
            Invalidations heard = told == null ? null : told.received;
            return heard == null ? null : heard.redirected();
        }

        /** Production's server answered a command of its own like this. */
        void learn(RedisCommand command, RespValue reply) {
            long own = ClientReplies.ownId(command, reply);
            if (own > 0) {
                given = own;
                all.learn(this, own);
            }
            if (given > 0 && ClientReplies.names(command)) {
                all.learn(ClientReplies.lines(reply), given);
            }
        }

        /** The same of a transaction's commands. */
        void learn(List<RedisCommand> commands, List<RespValue> replies) {
            for (int i = 0; i < Math.min(commands.size(), replies.size()); i++) {
                learn(commands.get(i), replies.get(i));
            }
        }

        /** The command with what the ids stand for in their place; itself if it names none. */
        RedisCommand named(RedisCommand command) {
            return command.name().equals("CLIENT") ? all.named(command, this) : command;
        }

        /**
         * The other open debug connections by their names, as far as there is only one of a name.
         *
         * @param among these ids only; all if there are none
         */
        Map<String, Long> others(List<Long> among) {
            return all.others(this, among);
        }

        /** This debug connection is told so: connections that were killed by it in production end here, too. */
        void kill(List<RedisCommand> commands, boolean isTransaction, byte[] wire) {
            if (commands.stream().noneMatch(ClientIds::kills)) {
                return;
            }
            RespValue reply = ClientReplies.parsed(wire);
            List<RespValue> items = isTransaction && reply instanceof RespValue.Array array ? array.items() : null;
            for (int i = 0; i < commands.size(); i++) {
                RespValue said = !isTransaction ? reply : items != null && i < items.size() ? items.get(i) : null;
                List<Long> ids = kills(commands.get(i)) ? ClientIds.named(commands.get(i)) : List.of();
                if (said instanceof RespValue.Int killed && killed.value() == ids.size()) {
                    ids.forEach(all::cut);
                }
            }
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

    /** The ids that a command names. */
    static List<Long> named(RedisCommand command) {
        List<Long> ids = new ArrayList<>();
        for (int place : places(command)) {
            ids.add(Long.parseLong(command.text(place)));
        }
        return ids;
    }

    private static boolean kills(RedisCommand command) {
        return command.name().equals("CLIENT") && command.word(0).equals("KILL");
    }

    private void cut(long id) {
        RedisPeer killed = peer(id);
        if (killed != null) {
            killed.cut();
        }
    }

    private synchronized @Nullable RedisPeer peer(long id) {
        RedisClient client = debug.get(id);
        return client == null ? null : client.peer;
    }

    private synchronized @Nullable RedisClient ofProduction(long id) {
        return production.get(id);
    }

    private synchronized Map<String, Long> others(RedisClient asking, List<Long> among) {
        Map<String, Long> others = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (RedisClient client : debug.values()) {
            if (client.peer != null && client != asking && (among.isEmpty() || among.contains(client.id))) {
                others.put(client.name, client.id);
                if (!seen.add(client.name)) {
                    others.remove(client.name);
                }
            }
        }
        return others;
    }

    private synchronized void learn(RedisClient client, long id) {
        put(production, id, client);
    }

    /**
     * Of connections that haven't asked for their own ids, only those with names mean anything. An open one that has
     * asked is surer than a line.
     */
    private synchronized void learn(List<ClientLine> lines, long own) {
        for (ClientLine line : lines) {
            RedisClient known = production.get(line.id());
            boolean isOver = known != null && known.isClosed;
            if (line.id() == own || (known != null && known.given > 0 && !isOver)) {
                continue;
            }
            if (line.name().isEmpty()) {
                production.remove(line.id());
            } else {
                RedisClient listed = known == null || isOver ? ofProduction() : known;
                listed.rename(line.name());
                put(production, line.id(), listed);
            }
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
        boolean some = false;
        for (int place : places(command)) {
            String meant = meaning(Long.parseLong(command.text(place)), asking);
            if (meant != null) {
                named.set(place, meant.getBytes(StandardCharsets.UTF_8));
                some = true;
            }
        }
        return some ? new RedisCommand(command.name(), named, command.hash()) : command;
    }

    /** Where ids stand: CLIENT UNBLOCK 7, CLIENT KILL ID 7, CLIENT LIST ID 7 8, CLIENT TRACKING ON REDIRECT 7. */
    private static List<Integer> places(RedisCommand command) {
        List<Integer> places = new ArrayList<>();
        boolean ids = command.word(0).equals("UNBLOCK");
        for (int i = 1; i < command.arguments().size(); i++) {
            if (ids && isId(command.text(i))) {
                places.add(i);
            } else {
                ids = KEYS.contains(command.word(i));
            }
        }
        return places;
    }

    private static boolean isId(String text) {
        return !text.isEmpty() && text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private @Nullable String meaning(long id, RedisClient asking) {
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
