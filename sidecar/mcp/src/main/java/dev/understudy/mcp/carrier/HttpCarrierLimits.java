package dev.understudy.mcp.carrier;

import java.time.Duration;

/**
 * How much clients may take of an {@link HttpCarrier}.
 *
 * @param connections at a time; further ones are closed
 * @param body bytes of a message
 * @param patience how long a connection may take for its next message, or to read an answer
 */
public record HttpCarrierLimits(int connections, int body, Duration patience) {
    /** 32 connections, 256 KiB, half a minute. */
    public static HttpCarrierLimits defaults() {
        return new HttpCarrierLimits(32, 256 << 10, Duration.ofSeconds(30));
    }
}
