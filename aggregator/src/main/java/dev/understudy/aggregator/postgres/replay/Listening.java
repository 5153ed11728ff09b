package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fact.Notifications;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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
    private final UpstreamReplay<?> replay;
    private final Notifications notifications;
    private final Settings settings;
    private final PgOutlet outlet;
    private final BooleanSupplier idle;
    private final Map<String, Ear> channels = new HashMap<>();
    private int processId;
    private boolean patient;
    private @Nullable Future<?> endTimer;

    /** One channel, and how many requests were answered since it is listened on. */
    private static final class Ear {
        private final Notifications.Listener listener;
        private final long since = System.nanoTime();
        private long turns;
        private @Nullable Future<?> alone;

        Ear(Notifications.Listener listener) {
            this.listener = listener;
        }
    }

    /** @param idle whether the session may be notified without having asked */
    Listening(
            EventExecutor executor,
            UpstreamReplay<?> replay,
            Notifications notifications,
            Settings settings,
            PgOutlet outlet,
            BooleanSupplier idle) {
        this.executor = executor;
        this.replay = replay;
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
        channels.entrySet().removeIf(known -> {
            boolean left = !listened.contains(known.getKey());
            if (left) {
                end(known.getKey(), known.getValue(), true);
            }
            return left;
        });
        for (String channel : listened) {
            channels.computeIfAbsent(channel, this::listen).turns++;
        }
        executor.execute(this::news); // once what was asked in one go is answered
    }

    void closed() {
        cancelEnd();
        channels.forEach((channel, ear) -> end(channel, ear, false));
        channels.clear();
    }

    private Ear listen(String channel) {
        Ear ear = new Ear(notifications.listen(
                new Notifications.Channel(settings.state().database(), channel), () -> executor.execute(this::news)));
        if (ear.listener.waits()) {
            long patience = replay.patience().toNanos();
            ear.alone = executor.schedule(() -> alone(channel, ear), patience, TimeUnit.NANOSECONDS);
        }
        return ear;
    }

    private void end(String channel, Ear ear, boolean left) {
        alone(channel, ear);
        ear.listener.end(left);
    }

    /** A session that no session of production's stands for hears nothing: a miss, which is reported once. */
    private void alone(String channel, Ear ear) {
        if (ear.alone != null) {
            ear.alone.cancel(false);
            ear.alone = null;
            if (ear.listener.waits()) {
                String why = "no notifications: production hasn't listened on it, or not as often";
                replay.notLearned(Form.of("LISTEN", "LISTEN " + channel), why, System.nanoTime() - ear.since);
            }
        }
    }

    private void news() {
        if (!idle.getAsBoolean()) {
            return;
        }
        boolean some = deliver(true);
        while (channels.values().stream().filter(ear -> ear.listener.movesOn()).count() > 0) {
            some |= deliver(true);
        }
        if (some) {
            outlet.flush();
        }
        end();
        if (!patient && next(true, true) != null) {
            patient = true;
            executor.schedule(this::impatient, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Ends the session where production's server ended its own, at the same time after what it heard last. */
    private void end() {
        cancelEnd();
        Notifications.SessionEnd first = channels.values().stream()
                .map(ear -> ear.listener.ending())
                .filter(Objects::nonNull)
                .min(Comparator.comparingLong(Notifications.SessionEnd::inNanos))
                .orElse(null);
        if (first == null) {
            return;
        }
        if (first.inNanos() > 0) {
            endTimer = executor.schedule(this::news, first.inNanos(), TimeUnit.NANOSECONDS);
            return;
        }
        if (first.how() == Notifications.End.LOST) {
            String why = "what production was notified of isn't known from here on";
            replay.refused(Form.of("LISTEN", "notifications of a session"), why);
            outlet.write(PgErrors.fatal("08006", why));
        } else if (first.farewell() != null) {
            outlet.write(new PgMessage('E', first.farewell()));
        }
        closed();
        outlet.close();
    }

    private void cancelEnd() {
        if (endTimer != null) {
            endTimer.cancel(false);
            endTimer = null;
        }
    }

    private void impatient() {
        patient = false;
        if (idle.getAsBoolean() && !channels.isEmpty()) {
            for (Ear ear = next(true, true); ear != null; ear = next(true, true)) {
                notify(ear);
            }
            outlet.flush();
            news();
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
