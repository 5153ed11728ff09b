package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.fact.Notifications;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.divergence.wire.postgres.PgWriter;
import io.netty.util.concurrent.EventExecutor;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notifies one debug session of what its twin in production was notified of: before the end of the answer that it
 * preceded there, or while nothing is asked. A session that asks less often than its twin did isn't kept waiting for
 * long. Confined to the connection's event loop.
 */
final class Listening {
    private static final long PATIENCE_MILLIS = 100;

    private final EventExecutor executor;
    private final Notifications notifications;
    private final Settings settings;
    private final PgOutlet outlet;
    private final BooleanSupplier idle;
    private final Map<String, Ear> channels = new HashMap<>();
    private int processId;
    private boolean patient;

    /** One channel, and how many requests were answered since it is listened on. */
    private static final class Ear {
        private final Notifications.Listener listener;
        private long turns;

        Ear(Notifications.Listener listener) {
            this.listener = listener;
        }
    }

    /** @param idle whether the session may be notified without having asked */
    Listening(
            EventExecutor executor,
            Notifications notifications,
            Settings settings,
            PgOutlet outlet,
            BooleanSupplier idle) {
        this.executor = executor;
        this.notifications = notifications;
        this.settings = settings;
        this.outlet = outlet;
        this.idle = idle;
    }

    /** What the session was told to be. */
    void served(int id) {
        processId = id;
    }

    /** An answer outside a transaction is about to end. */
    void beforeReady() {
        if (!channels.isEmpty()) {
            channels.values().forEach(ear -> ear.turns++);
            deliver(false);
            channels.values().forEach(ear -> ear.turns--);
        }
    }

    /** An answer has ended. */
    void ready() {
        Set<String> listened = settings.channels();
        if (channels.isEmpty() && listened.isEmpty()) {
            return;
        }
        channels.entrySet().removeIf(known -> !listened.contains(known.getKey()) && ended(known.getValue()));
        for (String channel : listened) {
            channels.computeIfAbsent(
                            channel,
                            added -> new Ear(notifications.listen(
                                    new Notifications.Channel(settings.state().database(), channel),
                                    () -> executor.execute(this::news))))
                    .turns++;
        }
        executor.execute(this::news); // once what was asked in one go is answered
    }

    void closed() {
        channels.values().forEach(Listening::ended);
        channels.clear();
    }

    private static boolean ended(Ear ear) {
        ear.listener.end();
        return true;
    }

    private void news() {
        if (!idle.getAsBoolean()) {
            return;
        }
        if (deliver(true)) {
            outlet.flush();
        }
        if (!patient && next(true, true) != null) {
            patient = true;
            executor.schedule(this::impatient, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void impatient() {
        patient = false;
        if (idle.getAsBoolean() && !channels.isEmpty()) {
            for (Ear ear = next(true, true); ear != null; ear = next(true, true)) {
                notify(ear);
            }
            outlet.flush();
        }
    }

    private boolean deliver(boolean behind) {
        boolean some = false;
        for (Ear ear = next(behind, false); ear != null; ear = next(behind, false)) {
            notify(ear);
            some = true;
        }
        return some;
    }

    /** The channel with the eldest notification whose turn it is. */
    private @Nullable Ear next(boolean behind, boolean anyTurn) {
        return channels.values().stream()
                .filter(ear -> due(ear, behind, anyTurn))
                .min(Comparator.comparingLong(Listening::number))
                .orElse(null);
    }

    private static boolean due(Ear ear, boolean behind, boolean anyTurn) {
        Notifications.Note note = ear.listener.peek();
        return note != null
                && (anyTurn || note.turn() < ear.turns || (note.turn() == ear.turns && (behind || note.within())));
    }

    private static long number(Ear ear) {
        Notifications.Note note = ear.listener.peek();
        return note == null ? Long.MAX_VALUE : note.number();
    }

    private void notify(Ear ear) {
        Notifications.Note note = ear.listener.take();
        if (note != null) {
            outlet.write(new PgWriter()
                    .int32(note.own() ? processId : note.processId())
                    .string(note.channel())
                    .string(note.payload())
                    .toMessage('A'));
        }
    }
}
