package dev.understudy.relay.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Makes loggers that write JSON. SLF4J makes this itself, by its name.
 *
 * <p>INFO and above; WARN and above from Netty and Micrometer. {@code -Dorg.slf4j.simpleLogger.defaultLogLevel=debug}
 * lowers the first, as it does for text.
 */
public final class JsonLogs implements SLF4JServiceProvider {
    private final Map<String, JsonLogger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();
    private Level least = Level.INFO;

    /** For SLF4J. */
    public JsonLogs() {}

    @Override
    public void initialize() {
        String level = System.getProperty("org.slf4j.simpleLogger.defaultLogLevel", "info");
        for (Level known : Level.values()) {
            if (known.name().equalsIgnoreCase(level)) {
                least = known;
            }
        }
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> loggers.computeIfAbsent(name, added -> new JsonLogger(added, least(added)));
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    private Level least(String name) {
        return name.startsWith("io.netty.") || name.startsWith("io.micrometer.") ? Level.WARN : least;
    }
}
