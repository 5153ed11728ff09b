package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespValue;
import dev.understudy.divergence.wire.redis.RespValue.SimpleError;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The errors that production's server has for commands that the aggregator answers itself: each for the same command in
 * a session of the same state, the latest answer counts. That it doesn't know a command is so for all arguments.
 *
 * <p>Bounded, the eldest are forgotten. Safe for all threads: guarded by {@code this}.
 */
final class LocalRefusals {
    private static final int MOST = 1_000;

    private final Map<Form, SimpleError> errors = new LinkedHashMap<>();

    /** Production's server answered a command, in a session as it was before. */
    synchronized void heard(RedisCommand command, RedisUpstreamSession session, RespValue answer) {
        if (!(answer instanceof SimpleError) && errors.isEmpty()) {
            return;
        }
        Form exact = session.localForm(command);
        Form any = any(command);
        errors.remove(exact);
        if (!(answer instanceof SimpleError error)) {
            errors.remove(any);
            return;
        }
        boolean unknown = error.message().toLowerCase(Locale.ROOT).startsWith("err unknown");
        errors.remove(any);
        errors.put(unknown ? any : exact, error);
        if (errors.size() > MOST) {
            errors.remove(errors.keySet().iterator().next());
        }
    }

    /** The error for a command in a session as it is before that; null if none is known. */
    synchronized @Nullable SimpleError of(RedisCommand command, RedisUpstreamSession session) {
        if (errors.isEmpty()) {
            return null;
        }
        SimpleError error = errors.get(session.localForm(command));
        return error == null ? errors.get(any(command)) : error;
    }

    private static Form any(RedisCommand command) {
        String text = command.name() + (command.name().equals("CLIENT") ? ' ' + command.word(0) : "");
        return Form.of("unknown", text);
    }
}
