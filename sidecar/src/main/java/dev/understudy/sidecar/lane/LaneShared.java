package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.HttpComparison;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.sidecar.order.DebugClock;
import dev.understudy.sidecar.trace.Tracing;
import dev.understudy.sidecar.trace.WallClock;
import dev.understudy.sidecar.verdict.VerdictStore;
import dev.understudy.sidecar.window.Traffic;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What all lanes of the process share; every part is safe for use by several threads.
 *
 * @param exchangeIds the last exchange number given
 * @param tracing null if no traces are exported
 */
public record LaneShared(
        EventLoops loops,
        DebugClock debugClock,
        Traffic traffic,
        IdentityMap identities,
        HttpComparison comparison,
        Masking masking,
        VerdictStore verdicts,
        WallClock wall,
        AtomicLong exchangeIds,
        @Nullable Tracing tracing) {}
