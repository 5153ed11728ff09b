package dev.understudy.relay.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;

/** Writes what is logged as {@link LogLine}s. Thread-safe: a line is one write. */
final class JsonLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    private final Level least;

    JsonLogger(String name, Level least) {
        this.name = name;
        this.least = least;
    }

    @Override
    public boolean isTraceEnabled() {
        return isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return isEnabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return isEnabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return isEnabled(Level.ERROR);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String pattern,
            Object @Nullable [] values,
            @Nullable Throwable failure) {
        System.err.print(LogLine.of(Instant.now(), level, name, pattern, values, failure));
    }

    private boolean isEnabled(Level level) {
        return level.toInt() >= least.toInt();
    }
}
