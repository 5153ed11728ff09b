package dev.understudy.sidecar.trace;

/**
 * One method's call in a debug JVM, as its agent reports it.
 *
 * @param traceHigh the upper half of the trace's id
 * @param traceLow the lower half
 * @param id its own
 * @param parent that of the span around it
 * @param name of class and method
 * @param begunNanos since 1970, by the debug JVM's clock
 * @param endedNanos the same
 * @param thrown the type of what it ended with; "" for a return
 */
public record CallSpan(
        long traceHigh,
        long traceLow,
        long id,
        long parent,
        String name,
        long begunNanos,
        long endedNanos,
        String thrown) {}
