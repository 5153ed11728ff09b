package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Opening;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is known of a connection's session from its commands and production's replies. */
final class RedisSessionTest {
    private static final String OK = "+OK\r\n";
    private static final String ERROR = "-ERR no\r\n";

    private final MemoryBudget budget = new MemoryBudget(1 << 20, null);
    private final RedisSession session = new RedisSession(budget);

    @Test
    void opening_saysWhatProductionAgreedTo_andNothingElse() {
        say("AUTH hunter2", OK);
        say("SELECT 3", OK);
        say("SELECT 99", ERROR);
        say("SET k v", OK);
        say("CLIENT SETNAME me", OK);
        say("CLIENT ID", ":7\r\n");
        assertThat(opening()).isEqualTo("AUTH hunter2|SELECT 3|CLIENT SETNAME me|");
    }

    @Test
    void laterCommand_takesThePlaceOfTheOnesItOverrides() {
        say("AUTH one", OK);
        say("HELLO 2", OK);
        say("SELECT 3", OK);
        say("SELECT 4", OK);
        say("HELLO 3 AUTH two secret SETNAME AUTH", OK);
        assertThat(opening()).isEqualTo("HELLO 3 AUTH two secret SETNAME AUTH|SELECT 4|");
        say("HELLO 2", OK);
        assertThat(opening()).isEqualTo("HELLO 3 AUTH two secret SETNAME AUTH|SELECT 4|HELLO 2|");
        say("RESET", "+RESET\r\n");
        assertThat(opening()).isEmpty();
        assertThat(budget.used()).isZero();
    }

    @Test
    void opening_waitsForAnswers_andForTheEndOfTransactions() {
        RedisReplyCopy[] unanswered = asked("SELECT 3");
        assertThat(opening()).isNull();
        answer(unanswered[0], OK);
        assertThat(opening()).isEqualTo("SELECT 3|");

        say("WATCH k", OK);
        assertThat(opening()).isNull();
        say("MULTI", OK);
        say("SET k v", "+QUEUED\r\n");
        assertThat(opening()).isNull();
        RedisReplyCopy[] exec = asked("EXEC");
        assertThat(opening()).isNull();
        answer(exec[0], "*1\r\n+OK\r\n");
        assertThat(opening()).isEqualTo("SELECT 3|");

        say("ASKING", OK);
        assertThat(opening()).isNull();
        say("GET k", OK);
        assertThat(opening()).isEqualTo("SELECT 3|");
    }

    @Test
    void transaction_thatIsRefused_endsToo() {
        say("MULTI", OK);
        say("NOSUCH", ERROR);
        say("EXEC", "-EXECABORT\r\n");
        assertThat(opening()).isEmpty();
        say("WATCH k", OK);
        say("EXEC", "-ERR EXEC without MULTI\r\n");
        assertThat(opening()).isNull();
        say("UNWATCH", OK);
        assertThat(opening()).isEmpty();
    }

    @Test
    void whatIsSetWithinATransaction_isUnsureUntilItIsSetAgain() {
        say("MULTI", OK);
        say("SELECT 3", "+QUEUED\r\n");
        say("EXEC", "*1\r\n+OK\r\n");
        assertThat(opening()).isNull();
        say("SELECT 4", OK);
        assertThat(opening()).isEqualTo("SELECT 4|");
    }

    @Test
    void whatCannotBeSaidAgain_standsInTheWay() {
        say("CLIENT TRACKING on REDIRECT 17", OK);
        assertThat(opening()).isNull();
        say("RESET", "+RESET\r\n");
        say("AUTH " + "x".repeat(RedisSession.MOST_HELD), OK);
        assertThat(opening()).isNull();
        assertThat(budget.used()).isZero();
    }

    @Test
    void refusal_endsTheOpening_unlessItIsNothingNew() {
        RedisReplyCopy[] replies = asked("AUTH one");
        answer(replies[0], OK);
        answer(replies[1], "-ERR no password is set\r\n");
        say("SELECT 3", OK);
        assertThat(heard(">2\r\n+a\r\n+b\r\n-ERR no password is set\r\n+OK\r\n:1\r\n"))
                .isEqualTo("DONE, then :1|");
        assertThat(heard("-ERR no password is set\r\n-ERR index\r\n")).startsWith("REFUSED");
        assertThat(heard("+OK\r\n+O")).startsWith("MORE");
        assertThat(heard("HTTP/1.1 400 Bad Request\r\n")).startsWith("REFUSED");
    }

    @Test
    void released_holdsNothing_andOpensNothing() {
        say("AUTH one", OK);
        asked("SELECT 3");
        session.release();
        assertThat(budget.used()).isZero();
        assertThat(opening()).isNull();
        say("SELECT 4", OK);
        assertThat(opening()).isNull();
        assertThat(budget.used()).isZero();
    }

    /** A server's memory of a connection, and one that has only heard the opening, never differ. */
    @Test
    void opening_bringsAnyServerToWhereProductionIs() {
        List<String> said = List.of(
                "AUTH a",
                "AUTH b",
                "SELECT 1",
                "SELECT 2",
                "HELLO 2",
                "HELLO 3",
                "HELLO 3 AUTH c d",
                "HELLO 2 SETNAME x",
                "HELLO 3 AUTH e f SETNAME y",
                "CLIENT SETNAME z",
                "CLIENT NO-EVICT on",
                "CLIENT SETINFO LIB-NAME n",
                "READONLY",
                "READWRITE",
                "MULTI",
                "EXEC",
                "DISCARD",
                "WATCH k",
                "UNWATCH",
                "RESET",
                "GET k");
        int openings = 0;
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            RedisSession followed = new RedisSession(budget);
            Model production = new Model();
            for (int n = 0; n < 60; n++) {
                String command = said.get(random.nextInt(said.size()));
                String reply = random.nextInt(8) == 0 && !command.equals("EXEC") ? ERROR : production.answer(command);
                answer(asked(followed, command)[0], reply);
                Opening opening = followed.opening();
                if (opening != null) {
                    openings++;
                    Model debug = new Model();
                    text(opening).lines().forEach(debug::answer);
                    assertThat(debug.state).as("seed %d, command %d", seed, n).isEqualTo(production.state);
                    assertThat(production.within || production.watching)
                            .as("seed %d", seed)
                            .isFalse();
                }
            }
            followed.release();
        }
        assertThat(openings).isGreaterThan(1000);
        assertThat(budget.used()).isZero();
    }

    private static final class Model {
        final TreeMap<String, String> state = new TreeMap<>();
        boolean within;
        boolean watching;
        private final List<String> queued = new ArrayList<>();

        String answer(String command) {
            String[] words = command.split(" ", -1);
            switch (words[0]) {
                case "MULTI" -> {
                    if (within) {
                        return ERROR;
                    }
                    within = true;
                }
                case "EXEC", "DISCARD" -> {
                    if (!within) {
                        return ERROR;
                    }
                    within = false;
                    watching = false;
                    if (words[0].equals("EXEC")) {
                        queued.forEach(this::set);
                    }
                    queued.clear();
                }
                case "RESET" -> {
                    state.clear();
                    queued.clear();
                    within = false;
                    watching = false;
                }
                case "WATCH" -> {
                    if (within) {
                        return ERROR;
                    }
                    watching = true;
                }
                case "UNWATCH" -> {
                    if (within) {
                        return "+QUEUED\r\n";
                    }
                    watching = false;
                }
                default -> {
                    if (within) {
                        queued.add(command);
                        return "+QUEUED\r\n";
                    }
                    set(command);
                }
            }
            return OK;
        }

        private void set(String command) {
            String[] words = command.split(" ", -1);
            switch (words[0]) {
                case "AUTH" -> state.put("user", words[1]);
                case "SELECT" -> state.put("database", words[1]);
                case "READONLY", "READWRITE" -> state.put("reads", words[0]);
                case "CLIENT" -> state.put(words[1].equals("SETNAME") ? "name" : words[1], words[words.length - 1]);
                case "HELLO" -> {
                    state.put("protocol", words[1]);
                    for (int at = 2; at < words.length; at++) {
                        if (words[at].equals("AUTH")) {
                            state.put("user", words[at + 1] + words[at + 2]);
                        } else if (words[at].equals("SETNAME")) {
                            state.put("name", words[at + 1]);
                        }
                    }
                }
                default -> {}
            }
        }
    }

    private void say(String command, String reply) {
        answer(asked(command)[0], reply);
    }

    private RedisReplyCopy[] asked(String command) {
        return asked(session, command);
    }

    private RedisReplyCopy[] asked(RedisSession by, String command) {
        byte[] wire = (command + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        List<byte[]> words = Arrays.stream(command.split(" ", -1))
                .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
        RedisRequest request =
                new RedisRequest(Objects.requireNonNull(RedisCommand.of(words)), true, Request.Part.STATE, List.of());
        ReplyMemory memory = new ReplyMemory(new MemoryBudget(1 << 16, null));
        RedisReplyCopy[] replies = {new RedisReplyCopy(memory, 100), new RedisReplyCopy(memory, 100)};
        ByteBuf bytes = Unpooled.wrappedBuffer(wire);
        by.asked(request, bytes, replies[0], replies[1]);
        assertThat(bytes.readableBytes()).isEqualTo(wire.length);
        return replies;
    }

    private static void answer(RedisReplyCopy copy, String reply) {
        ByteBuffer bytes = StandardCharsets.ISO_8859_1.encode(reply);
        copy.add(bytes.duplicate().limit(1), 1);
        copy.add(bytes.position(1), 2);
        copy.end(reply.charAt(0), 2);
        copy.drop();
    }

    private @Nullable String opening() {
        Opening opening = session.opening();
        return opening == null ? null : words(text(opening));
    }

    private String heard(String replies) {
        Opening opening = Objects.requireNonNull(session.opening());
        ByteBuf data = Unpooled.copiedBuffer(replies, StandardCharsets.ISO_8859_1);
        Opening.Heard heard = opening.heard(data);
        return heard + ", then " + words(data.toString(StandardCharsets.ISO_8859_1));
    }

    private static String text(Opening opening) {
        return opening.bytes().toString(StandardCharsets.ISO_8859_1);
    }

    private static String words(String wire) {
        return wire.replace("\r\n", "|");
    }
}
