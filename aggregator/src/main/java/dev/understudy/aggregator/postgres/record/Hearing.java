package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.fact.Notifications;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
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
        boolean lost = heard == null
                || source == null
                || source.add(new Notifications.Note(
                        sender, sender == processId, channel, reader.string(), heard.turns + (within ? 1 : 0), within));
        if (lost) {
            recording.dropped(Unrecorded.SERVER_PUSH, 1);
        }
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
                                    new Notifications.Channel(settings.state().database(), channel))))
                    .turns++;
        }
    }

    void closed() {
        channels.values().forEach(Hearing::ended);
        channels.clear();
    }

    private static boolean ended(Heard heard) {
        if (heard.source != null) {
            heard.source.end();
        }
        return true;
    }
}
