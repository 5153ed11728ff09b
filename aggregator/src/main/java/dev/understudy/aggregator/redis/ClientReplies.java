package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.redis.command.ClientLines;
import dev.understudy.aggregator.redis.command.ClientLines.ClientLine;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespFramer;
import dev.understudy.divergence.wire.redis.RespSink;
import dev.understudy.divergence.wire.redis.RespValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replies that name clients by their ids: what production's say of its connections, and how they read for a debug
 * connection.
 *
 * <p>An id is replaced where it is certain whose it is: the asking connection's own, the one that was asked for, or
 * that of the only other client with a name, where the debug side has only one with that name, too. All others stay
 * production's, which no debug connection has.
 */
final class ClientReplies {
    private static final Set<String> TELLING = Set.of("GETREDIR", "ID", "INFO", "LIST", "TRACKINGINFO");

    private ClientReplies() {}

    /** Whether replies to this command may name clients. */
    static boolean names(RedisCommand command) {
        return command.name().equals("CLIENT") && TELLING.contains(command.word(0));
    }

    /** The id that a reply gives to the connection that asked; 0 if that isn't certain. */
    static long ownId(RedisCommand command, RespValue reply) {
        if (!names(command) || command.word(0).equals("ID")) {
            return LocalCommands.clientId(command, reply);
        }
        List<ClientLine> lines = lines(reply);
        if (command.word(0).equals("INFO")) {
            return lines.size() == 1 ? lines.get(0).id() : 0;
        }
        // A list of all has the asking one, which is doing just that; there may be others that have done so before.
        List<ClientLine> asking = command.arguments().size() > 1
                ? List.of()
                : lines.stream().filter(ClientLine::lists).toList();
        return asking.size() == 1 ? asking.get(0).id() : 0;
    }

    /** What a reply says of clients. */
    static List<ClientLine> lines(RespValue reply) {
        return ClientLines.of(text(reply));
    }

    /** A reply of production's to these commands as it reads for a debug connection. */
    static byte[] rewritten(List<RedisCommand> commands, boolean isTransaction, byte[] wire, ClientIds.RedisClient to) {
        if (commands.stream().noneMatch(ClientReplies::names)) {
            return wire;
        }
        RespValue reply = parsed(wire);
        if (!isTransaction) {
            return reply == null ? wire : rewritten(commands.get(0), reply, to).encode();
        }
        List<RespValue> items = reply instanceof RespValue.Array array ? array.items() : null;
        if (items == null || items.size() != commands.size()) {
            return wire;
        }
        List<RespValue> rewritten = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            rewritten.add(rewritten(commands.get(i), items.get(i), to));
        }
        return new RespValue.Array(rewritten).encode();
    }

    private static RespValue rewritten(RedisCommand command, RespValue reply, ClientIds.RedisClient to) {
        if (!names(command)) {
            return reply;
        }
        switch (command.word(0)) {
            case "ID" -> {
                return reply instanceof RespValue.Int ? new RespValue.Int(to.id()) : reply;
            }
            case "GETREDIR", "TRACKINGINFO" -> {
                return redirection(reply, to);
            }
            default -> {
                // a text
            }
        }
        Map<Long, Long> ids = counterparts(command, reply, to);
        String text = ClientLines.rewritten(text(reply), id -> ids.getOrDefault(id, id));
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (reply instanceof RespValue.Verbatim verbatim) {
            return new RespValue.Verbatim(verbatim.format(), bytes);
        }
        return reply instanceof RespValue.Bulk bulk && bulk.bytes() != null ? new RespValue.Bulk(bytes) : reply;
    }

    /** Whom a connection has told is the one of its own side; nobody, if it is the same on both. */
    private static RespValue redirection(RespValue reply, ClientIds.RedisClient to) {
        if (reply instanceof RespValue.Int id) {
            return id.value() > 0 && to.redirection() > 0 ? new RespValue.Int(to.redirection()) : reply;
        }
        if (reply instanceof RespValue.Mapping mapping) {
            return new RespValue.Mapping(mapping.entries().stream()
                    .map(entry -> new RespValue.Entry(entry.key(), redirection(entry.value(), to)))
                    .toList());
        }
        List<RespValue> items = reply instanceof RespValue.Array array ? array.items() : null;
        return items == null
                ? reply
                : new RespValue.Array(
                        items.stream().map(item -> redirection(item, to)).toList());
    }

    private static Map<Long, Long> counterparts(RedisCommand command, RespValue reply, ClientIds.RedisClient to) {
        List<ClientLine> lines = lines(reply);
        List<Long> asked = ClientIds.named(command);
        long own = ownId(command, reply);
        Map<Long, Long> ids = byNames(lines, own, to, asked);
        if (own > 0) {
            ids.put(own, to.id());
        }
        if (asked.size() == lines.size()) {
            List<Long> left = new ArrayList<>(asked);
            left.removeAll(ids.values());
            List<Long> unnamed = lines.stream()
                    .map(ClientLine::id)
                    .filter(id -> !ids.containsKey(id) && !left.remove(id))
                    .toList();
            if (left.size() == 1 && unnamed.size() == 1) {
                ids.put(unnamed.get(0), left.get(0));
            }
        }
        for (ClientLine line : lines) {
            if (line.redirection() > 0
                    && to.redirection() > 0
                    && Long.valueOf(to.id()).equals(ids.get(line.id()))) {
                ids.put(line.redirection(), to.redirection());
            }
        }
        return ids;
    }

    private static Map<Long, Long> byNames(
            List<ClientLine> lines, long own, ClientIds.RedisClient to, List<Long> asked) {
        Map<Long, Long> ids = new HashMap<>();
        Map<String, Long> others = to.others(asked);
        Set<String> seen = new HashSet<>();
        for (ClientLine line : lines) {
            boolean unclear = line.name().isEmpty() || (own == 0 && line.name().equals(to.name()));
            if (line.id() == own || unclear) {
                continue;
            }
            Long other = others.get(line.name());
            if (other != null && !seen.add(line.name())) {
                ids.values().remove(other);
            } else if (other != null) {
                ids.put(line.id(), other);
            }
        }
        return ids;
    }

    private static String text(RespValue reply) {
        byte[] bytes = reply instanceof RespValue.Verbatim verbatim
                ? verbatim.bytes()
                : reply instanceof RespValue.Bulk bulk ? bulk.bytes() : null;
        return bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** The value of a reply; null if it isn't one, and no more. */
    static @Nullable RespValue parsed(byte[] wire) {
        List<RespValue> values = new ArrayList<>();
        RespFramer framer = new RespFramer(
                new RespSink() {
                    @Override
                    public void value(RespValue value, Sent sent) {
                        values.add(value);
                    }

                    @Override
                    public void unframed(String reason, byte[] remaining) {
                        values.clear();
                    }
                },
                Math.max(1, wire.length));
        framer.feed(ByteBuffer.wrap(wire));
        return values.size() == 1 ? values.get(0) : null;
    }
}
