package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RedisKeys;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.tee.Sampling;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * A command, as far as its words are kept.
 *
 * @param whole whether these are all of its words
 * @param transaction what an {@code EXEC} runs, shortened; empty if that isn't known
 */
record RedisRequest(RedisCommand command, boolean whole, Part part, List<RedisCommand> transaction) implements Request {
    private static final int MAX_SHOWN = 64;
    private static final long WORD = 32;
    private static final long SHORTENED = 256;

    /** Their first argument says what they do. */
    private static final Set<String> CONTAINERS = Set.of(
            "ACL",
            "CLIENT",
            "CLUSTER",
            "COMMAND",
            "CONFIG",
            "DEBUG",
            "FUNCTION",
            "LATENCY",
            "MEMORY",
            "MODULE",
            "OBJECT",
            "PUBSUB",
            "SCRIPT",
            "SLOWLOG",
            "XGROUP",
            "XINFO");

    private static final Set<String> WAITING = Set.of(
            "BLMOVE", "BLMPOP", "BLPOP", "BRPOP", "BRPOPLPUSH", "BZMPOP", "BZPOPMAX", "BZPOPMIN", "WAIT", "WAITAOF");

    @Override
    public String method() {
        return command.name();
    }

    /** The first key and, of some commands, the word that says what they do; values are never shown. */
    @Override
    public String target(Masking masking) {
        String what = CONTAINERS.contains(command.name()) ? command.word(0) + " " : "";
        List<byte[]> keys = RedisKeys.of(command);
        return (what + (keys.isEmpty() ? "" : shown(keys.get(0), masking))).strip();
    }

    private static String shown(byte[] key, Masking masking) {
        String text = new String(key, 0, Math.min(key.length, MAX_SHOWN), StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", ".");
        if (masking.isSecret(text)) {
            return text.substring(0, text.indexOf(':') + 1) + Masking.MASK;
        }
        return key.length > MAX_SHOWN ? text + "…" : text;
    }

    /** Whether what it is answered may hold secrets: those of a key, or of a hash's field. */
    boolean isSecret(Masking masking) {
        return command.name().equals("ACL")
                || command.name().equals("CONFIG")
                || RedisKeys.of(command).stream().anyMatch(key -> isSecret(key, masking))
                || (command.name().startsWith("H")
                        && command.arguments().stream()
                                .anyMatch(field -> field.length <= MAX_SHOWN && isSecret(field, masking)));
    }

    private static boolean isSecret(byte[] name, Masking masking) {
        return masking.isSecret(new String(name, StandardCharsets.UTF_8));
    }

    @Override
    public boolean waits() {
        return WAITING.contains(command.name())
                || (command.name().startsWith("XREAD")
                        && (command.word(0).equals("BLOCK")
                                || command.word(2).equals("BLOCK")
                                || command.word(3).equals("BLOCK")
                                || command.word(5).equals("BLOCK")));
    }

    /** What isn't known to be about other keys is. */
    @Override
    public boolean isIn(Sampling sampling) {
        boolean known =
                whole || RedisKeys.endBefore(command, command.arguments().size());
        return !known || sampling.takesKeys(RedisKeys.of(command));
    }

    @Override
    public long heldBytes() {
        return command.bytes() + WORD * command.arguments().size() + SHORTENED * transaction.size();
    }
}
