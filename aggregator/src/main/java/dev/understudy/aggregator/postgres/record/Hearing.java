package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.fact.Notifications;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one session of production's listens on, and what it is notified of. Confined to the connection's lane loop. */
final class Hearing {
    private final Notifications notifications;
    private final Settings settings;
    private final Recording<?> recording;
    private final Map<String, Heard> channels = new HashMap<>();
    private int processId;

    /** One channel, and how many requests were answered since it is listened on. */
    private static final class Heard {
        private final Notifications.@Nullable Source source;
        private long turns;

        Heard(Notifications.@Nullable Source source) {
            this.source = source;
        }
    }

    Hearing(Notifications notifications, Settings settings, Recording<?> recording) {
        this.notifications = notifications;
        this.settings = settings;
        this.recording = recording;
    }

    /** BackendKeyData. */
    void served(PgReader by) {
        processId = by.int32();
    }

    /**
     * NotificationResponse.
     *
     * @param within whether a request is being answered
     */
    void notified(PgReader reader, boolean within) {
        int sender = reader.int32();
        String channel = reader.string();
        Heard heard = channels.get(channel);
        Notifications.Source source = heard == null ? null : heard.source;
        if (heard == null || source == null) {
            recording.dropped(Unrecorded.SERVER_PUSH, 1);
            return;
        }
        source.add(new Notifications.Note(
                sender, sender == processId, channel, reader.string(), heard.turns + (within ? 1 : 0), within));
    }

    /** The server is ready for the next request. */
    void ready() {
        Set<String> listened = settings.channels();
        if (channels.isEmpty() && listened.isEmpty()) {
            return;
        }
        channels.entrySet().removeIf(known -> !listened.contains(known.getKey()) && ended(known.getValue()));
        for (String channel : listened) {
            channels.computeIfAbsent(
                            channel,
                            added -> new Heard(notifications.opened(
                                    new Notifications.Channel(settings.state().database(), channel), this::unheard)))
                    .turns++;
        }
    }

    /** The server ends the session, with this error if it says anything. */
    void cut(@Nullable PgMessage error) {
        end(Notifications.End.CUT, error == null ? null : error.body());
    }

    /** What the session is notified of from here on isn't known. */
    void lost() {
        end(Notifications.End.LOST, null);
    }

    /** The client has ended the session. */
    void closed() {
        end(Notifications.End.LEFT, null);
    }

    private void end(Notifications.End how, byte @Nullable [] error) {
        channels.values().forEach(heard -> end(heard, how, error));
        channels.clear();
    }

    private static boolean ended(Heard heard) {
        end(heard, Notifications.End.LEFT, null);
        return true;
    }

    private static void end(Heard heard, Notifications.End how, byte @Nullable [] error) {
        if (heard.source != null) {
            heard.source.end(how, error);
        }
    }

    private void unheard(long notifications) {
        recording.dropped(Unrecorded.UNHEARD, notifications);
    }
}
