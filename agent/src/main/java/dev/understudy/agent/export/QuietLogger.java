package dev.understudy.agent.export;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for {@code java.util.logging.Logger} in our shaded libraries, so that they don't start the application's
 * {@code LogManager}; each prints its first warning and drops the rest.
 */
public final class QuietLogger {

    private final String name;
    private final AtomicBoolean printed = new AtomicBoolean();

    private QuietLogger(String name) {
        this.name = name;
    }

    /** A logger; its name is shown. */
    public static QuietLogger getLogger(String name) {
        return new QuietLogger(name);
    }

    /** Its name. */
    public String getName() {
        return name;
    }

    /** Whether the level may be printed. */
    public boolean isLoggable(Level level) {
        return level.intValue() >= Level.WARNING.intValue() && !printed.get();
    }

    /** Prints the message if the level may be printed. */
    public void log(Level level, @Nullable String message) {
        if (isLoggable(level) && printed.compareAndSet(false, true)) {
            Stderr.line(name.substring(name.lastIndexOf('.') + 1) + ": " + message);
        }
    }

    /** As {@link #log(Level, String)}. */
    public void log(Level level, Supplier<String> message) {
        if (isLoggable(level)) {
            log(level, message.get());
        }
    }

    /** As {@link #log(Level, String)}, with the problem's own words. */
    public void log(Level level, @Nullable String message, @Nullable Throwable problem) {
        if (isLoggable(level)) {
            log(level, message + (problem == null ? "" : ": " + problem));
        }
    }

    /** As {@link #log(Level, String)}, with the parameter behind it. */
    public void log(Level level, @Nullable String message, @Nullable Object parameter) {
        if (isLoggable(level)) {
            log(level, message + ": " + parameter);
        }
    }

    /** As {@link #log(Level, String)}, with the parameters behind it. */
    public void log(Level level, @Nullable String message, @Nullable Object @Nullable [] parameters) {
        if (isLoggable(level)) {
            log(level, message + ": " + java.util.Arrays.toString(parameters));
        }
    }

    /** At level SEVERE. */
    public void severe(String message) {
        log(Level.SEVERE, message);
    }

    /** At level WARNING. */
    public void warning(String message) {
        log(Level.WARNING, message);
    }

    /** At level INFO: dropped. */
    public void info(String message) {
        log(Level.INFO, message);
    }

    /** At level CONFIG: dropped. */
    public void config(String message) {
        log(Level.CONFIG, message);
    }

    /** At level FINE: dropped. */
    public void fine(String message) {
        log(Level.FINE, message);
    }

    /** At level FINER: dropped. */
    public void finer(String message) {
        log(Level.FINER, message);
    }

    /** At level FINEST: dropped. */
    public void finest(String message) {
        log(Level.FINEST, message);
    }
}
