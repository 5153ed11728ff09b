package dev.understudy.relay.log;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import org.slf4j.event.Level;
import org.slf4j.spi.SLF4JServiceProvider;

/** How log lines are written to standard error. */
public enum LogFormat {
    /** For people. */
    TEXT {
        @Override
        public void use() {
            PatientErr.install(
                    lost -> OffsetDateTime.now(ZoneId.systemDefault()) + " WARN LogQueue - " + LOST.formatted(lost));
        }
    },
    /** One JSON object a line, for log collectors. */
    JSON {
        @Override
        public void use() {
            Class<? extends SLF4JServiceProvider> provider = JsonLogs.class;
            System.setProperty("slf4j.provider", provider.getName());
            System.setProperty("slf4j.internal.verbosity", "WARN"); // or it says so, and not in JSON
            PatientErr.install(lost -> LogLine.of(
                            Instant.now(), Level.WARN, LogQueue.class.getName(), LOST.formatted(lost), null, null)
                    .stripTrailing());
        }
    };

    private static final String LOST = "%d log lines lost: they came faster than they were read";

    /**
     * Has loggers write so that are made from now on; to be called before the first is. From then on no thread waits
     * for whoever reads standard error: what it doesn't take is dropped and counted.
     */
    public abstract void use();
}
