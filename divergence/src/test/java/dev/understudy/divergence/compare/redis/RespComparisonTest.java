package dev.understudy.divergence.compare.redis;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RespComparisonTest {
    private static final Instant NOW = Instant.parse("2026-03-04T12:00:00Z");
    private final RespComparison comparison = new RespComparison(ComparisonRules.defaults(), new IdentityMap(100));

    @ParameterizedTest(name = "{0}: {1} beside {2}")
    @CsvSource(
            delimiter = ';',
            value = {
                "GET k ; $1~a~ ; $1~a~ ; SAME",
                "GET k ; $1~a~ ; $1~b~ ; DIFFERENT",
                "GET k ; $-1~ ; $0~~ ; DIFFERENT",
                "GET k ; $-1~ ; _~ ; DIFFERENT",
                "GET k ; +a~ ; $1~a~ ; DIFFERENT",
                "GET k ; -ERR a~ ; -ERR b~ ; DIFFERENT",
                "GET k ; -ERR a~ ; -WRONGTYPE a~ ; DIFFERENT",
                "SMEMBERS k ; *2~$1~a~$1~b~ ; *2~$1~b~$1~a~ ; EQUIVALENT",
                "SMEMBERS k ; ~2~$1~a~$1~b~ ; ~2~$1~b~$1~a~ ; EQUIVALENT",
                "SMEMBERS k ; *2~$1~a~$1~a~ ; *2~$1~a~$1~b~ ; DIFFERENT",
                "SMEMBERS k ; *2~$1~a~$1~b~ ; *1~$1~b~ ; DIFFERENT",
                "LRANGE k 0 9 ; *2~$1~a~$1~b~ ; *2~$1~b~$1~a~ ; DIFFERENT",
                "HGETALL k ; *4~$1~a~$1~1~$1~b~$1~2~ ; *4~$1~b~$1~2~$1~a~$1~1~ ; EQUIVALENT",
                "HGETALL k ; *4~$1~a~$1~1~$1~b~$1~2~ ; *4~$1~b~$1~1~$1~a~$1~2~ ; DIFFERENT",
                "HGETALL k ; %2~$1~a~$1~1~$1~b~$1~2~ ; %2~$1~b~$1~2~$1~a~$1~1~ ; EQUIVALENT",
                "HGETALL k ; *2~$1~a~$1~1~ ; %1~$1~a~$1~1~ ; DIFFERENT",
                "KEYS * ; *2~$1~a~$1~b~ ; *2~$1~b~$1~a~ ; EQUIVALENT",
                "ZSCORE k m ; ,1.5~ ; ,1.50~ ; EQUIVALENT",
                "ZSCORE k m ; ,1.5~ ; ,1.51~ ; DIFFERENT",
                "ZSCORE k m ; ,inf~ ; ,-inf~ ; DIFFERENT",
                "RANDOMKEY ; $1~a~ ; $1~b~ ; NOT_COMPARED",
                "RANDOMKEY ; $1~a~ ; -ERR no~ ; DIFFERENT",
                "RANDOMKEY ; $1~a~ ; $-1~ ; DIFFERENT",
                "INFO ; $3~a:1~ ; $3~a:2~ ; NOT_COMPARED",
                "COMMAND DOCS ; *2~$1~a~*0~ ; *2~$1~b~*0~ ; NOT_COMPARED",
                "LASTSAVE ; :1772625600~ ; :1772625601~ ; NOT_COMPARED",
                "SCAN 0 ; *2~$1~0~*1~$1~a~ ; *2~$1~5~*1~$1~b~ ; NOT_COMPARED",
                "CLIENT ID ; :7~ ; :9~ ; EQUIVALENT",
                "CLIENT GETNAME ; $1~a~ ; $1~b~ ; DIFFERENT",
                "HELLO 3 ; %2~+proto~:3~+id~:7~ ; %2~+proto~:3~+id~:9~ ; EQUIVALENT",
                "HELLO 3 ; %2~+proto~:3~+id~:7~ ; %2~+proto~:2~+id~:9~ ; DIFFERENT",
                "TIME ; *2~$10~1772625600~$6~123456~ ; *2~$10~1772625601~$1~7~ ; EQUIVALENT",
                "TIME ; *2~$10~1772625600~$1~1~ ; *2~$10~1772629600~$1~1~ ; DIFFERENT",
                "TTL k ; :100~ ; :99~ ; EQUIVALENT",
                "TTL k ; :100~ ; :80~ ; DIFFERENT",
                "TTL k ; :100~ ; :-1~ ; DIFFERENT",
                "PTTL k ; :100000~ ; :99100~ ; EQUIVALENT",
                "XADD s * f v ; $15~1772625600010-0~ ; $15~1772625600500-0~ ; EQUIVALENT",
                "XADD s 1-* f v ; $3~1-1~ ; $3~1-2~ ; DIFFERENT",
                "INCR k ; :1~ ; :2~ ; DIFFERENT",
                "GET k ; $20~2026-03-04T12:00:00Z~ ; $20~2026-03-04T12:00:01Z~ ; EQUIVALENT",
                "GET k ; $20~2026-03-04T12:00:00Z~ ; $20~2025-03-04T12:00:01Z~ ; DIFFERENT",
                "GET k ; |1~+ttl~:9~$1~a~ ; |1~+ttl~:9~$1~b~ ; DIFFERENT",
                "GET k ; =5~txt:a~ ; =5~mkd:a~ ; DIFFERENT",
            })
    void replies_areComparedAsTheirCommandMeansThem(String command, String production, String debug, VerdictKind kind) {
        assertThat(compare(command, production, debug).kind()).isEqualTo(kind);
    }

    @Test
    void differences_haveAPath_andBothValues() {
        Verdict verdict = compare("HGETALL k", "*4~$4~name~$3~Ada~$1~n~:1~", "*4~$4~name~$3~Eve~$1~m~:1~");

        assertThat(verdict.differences())
                .containsExactly(
                        new Difference("reply.name", Difference.Type.VALUE, "Ada", "Eve", null),
                        new Difference("reply.n", Difference.Type.MISSING, "1", null, null),
                        new Difference("reply.m", Difference.Type.EXTRA, null, "1", null));
        assertThat(compare("MGET a b", "*2~$1~a~$1~b~", "*2~$1~a~$1~c~").differences())
                .containsExactly(new Difference("reply[1]", Difference.Type.VALUE, "b", "c", null));
        assertThat(compare("GET k", "-ERR a~", "-NOPERM b~").differences())
                .containsExactly(new Difference("reply.code", Difference.Type.VALUE, "ERR a", "NOPERM b", null));
    }

    @Test
    void jsonInAValue_isComparedByItsMembers_andTeachesNoIdentity() {
        String ours = "{\"id\":\"4b53ae35-2935-4a7a-844f-4d2f2668e5f7\",\"price\":10}";
        String theirs = "{\"id\":\"0b080e89-9324-4cde-b575-7187ab7afecb\",\"price\":11}";
        String bulk = "$" + ours.length() + "~%s~";

        Verdict verdict = compare("GET k", String.format(bulk, ours), String.format(bulk, theirs));

        assertThat(verdict.differences())
                .filteredOn(difference -> difference.noise() == null)
                .extracting(Difference::path)
                .containsExactly("reply.id", "reply.price");
        assertThat(compare("GET k", String.format(bulk, ours), String.format(bulk, theirs)))
                .isEqualTo(verdict);
    }

    @Test
    void transaction_isComparedCommandByCommand() {
        List<RedisCommand> queued = List.of(command("SET k v"), command("SMEMBERS s"), command("INCR n"));
        String ours = "*3~+OK~*2~$1~a~$1~b~:1~";

        assertThat(exec(queued, ours, "*3~+OK~*2~$1~b~$1~a~:1~").kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(exec(queued, ours, "*3~+OK~*2~$1~b~$1~a~:2~").kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(exec(queued, ours, "*-1~").kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(exec(List.of(), ours, "*3~+OK~*2~$1~b~$1~a~:1~").kind()).isEqualTo(VerdictKind.DIFFERENT);
        assertThat(exec(List.of(command("RANDOMKEY")), "*1~$1~a~", "*1~$1~b~").reason())
                .isEqualTo(NotCompared.VOLATILE);
    }

    @Test
    void largeReplies_areComparedByHash_whereOrderMeansSomething() {
        String ours = "$400~" + "a".repeat(400) + "~";
        String theirs = "$400~" + "a".repeat(399) + "b~";

        assertThat(large("GET k", ours, ours)).isEqualTo(Verdict.SAME);
        assertThat(large("GET k", ours, theirs).kind()).isEqualTo(VerdictKind.DIFFERENT);
        String set = "*2~" + ours + theirs;
        assertThat(large("SMEMBERS k", set, "*2~" + theirs + ours).reason()).isEqualTo(NotCompared.TOO_LARGE);
    }

    @Test
    void reply_thatWasCutOff_isNotCompared() {
        RespReply whole = reply("+OK~");
        RespReply cut = new RespReply(new byte[] {'+'}, 1, new byte[0], false, NOW, NOW);

        assertThat(comparison.compare(command("SET k v"), List.of(), whole, cut).reason())
                .isEqualTo(NotCompared.INCOMPLETE);
    }

    private Verdict exec(List<RedisCommand> queued, String production, String debug) {
        return comparison.compare(command("EXEC"), queued, reply(production), reply(debug));
    }

    private Verdict compare(String command, String production, String debug) {
        return comparison.compare(command(command), List.of(), reply(production), reply(debug));
    }

    private Verdict large(String command, String production, String debug) {
        return comparison.compare(command(command), List.of(), beyond(production), beyond(debug));
    }

    private static RespReply beyond(String wire) {
        RespReplyCapture capture = new RespReplyCapture(100);
        capture.add(java.nio.ByteBuffer.wrap(reply(wire).bytes()));
        capture.end();
        assertThat(capture.heldBytes()).isLessThan(300);
        return capture.finish(NOW, NOW);
    }

    static RedisCommand command(String words) {
        return Objects.requireNonNull(RedisCommand.of(Arrays.stream(words.split(" ", -1))
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList()));
    }

    static RespReply reply(String wire) {
        byte[] bytes = wire.trim().replace("~", "\r\n").getBytes(StandardCharsets.UTF_8);
        if (wire.trim().startsWith("~")) { // a set, whose type is the mark for line ends
            bytes = ("~" + wire.trim().substring(1).replace("~", "\r\n")).getBytes(StandardCharsets.UTF_8);
        }
        return RespReply.of(bytes, NOW, NOW.plusMillis(800));
    }
}
