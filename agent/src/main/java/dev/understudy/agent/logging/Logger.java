package dev.understudy.agent.logging;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method of a logging framework that gets each event that is to be logged, as its first argument. */
final class Logger {
    /** Not one constant, which the building of the agent's jar would take for its own libraries' logger. */
    private static final String JDK = String.join("/", "java", "util", "logging", "");

    static final String OF_JDK = JDK + "Logger";

    private static final List<Logger> ALL = List.of(
            new Logger(OF_JDK, "log", "", JDK + "LogRecord", "getLevel.intValue", 1000),
            new Logger(
                    "ch/qos/logback/classic/Logger",
                    "callAppenders",
                    "",
                    "ch/qos/logback/classic/spi/ILoggingEvent",
                    "getLevel.toInt",
                    40_000),
            new Logger(
                    "org/apache/logging/log4j/core/config/LoggerConfig",
                    "log",
                    "Lorg/apache/logging/log4j/core/config/LoggerConfig$LoggerConfigPredicate;",
                    "org/apache/logging/log4j/core/LogEvent",
                    "getLevel.intLevel",
                    -200),
            new Logger(
                    "org/apache/log4j/Category",
                    "callAppenders",
                    "",
                    "org/apache/log4j/spi/LoggingEvent",
                    "getLevel.toInt",
                    40_000));

    /** With slashes. */
    final String className;
    /** The method, with its descriptor. */
    final String method;
    /** What {@code Logged.event} wants to know of it. */
    final String words;

    /** @param rest descriptors of its other arguments */
    private Logger(String className, String name, String rest, String event, String level, int error) {
        this.className = className;
        this.method = name + "(L" + event + ';' + rest + ")V";
        this.words = event.replace('/', '.') + ' ' + level + ' ' + error;
    }

    /** That of the class, named with slashes; null if it has none. */
    static @Nullable Logger of(String className) {
        for (Logger logger : ALL) {
            if (logger.className.equals(className)) {
                return logger;
            }
        }
        return null;
    }
}
