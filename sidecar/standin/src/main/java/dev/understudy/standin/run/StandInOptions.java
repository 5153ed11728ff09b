package dev.understudy.standin.run;

import java.net.InetSocketAddress;

/**
 * Where a stand-in listens, and what it spends.
 *
 * @param listen its address; port 0 lets the system choose
 * @param seed another one gives other replies to the same requests
 * @param speed what times are divided by: 2 answers in half of the time learned; above 0
 * @param spendsProcessor whether the processor time and the memory learned are spent; otherwise it waits instead
 */
public record StandInOptions(InetSocketAddress listen, long seed, double speed, boolean spendsProcessor) {
    public StandInOptions {
        if (!(speed > 0) || speed > 1e6) {
            throw new IllegalArgumentException("speed: " + speed + " (expected: above 0, up to 1000000)");
        }
    }
}
