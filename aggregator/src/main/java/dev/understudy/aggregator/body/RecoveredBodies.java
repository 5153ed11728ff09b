package dev.understudy.aggregator.body;

import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.FoundBlocks;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.stream.SpilledBlock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an earlier process left of bodies: pieces are found in one file after another, and bodies are claimed by whoever
 * knows them, in any order. A body is whole if all its bytes were found. Guarded by {@code this}.
 */
final class RecoveredBodies implements FoundBlocks {
    private static final Logger log = LoggerFactory.getLogger(RecoveredBodies.class);

    private final Spill spill;
    private final Map<Long, Found> found = new HashMap<>();
    private final Map<Long, Claim> claims = new HashMap<>();
    private boolean allFound;
    private boolean allClaimed;

    private record Claim(BodySegments pieces, long length) {}

    private static final class Found {
        private final TreeMap<Long, SpilledBlock> pieces = new TreeMap<>();
        private long length;
    }

    RecoveredBodies(Spill spill, boolean kept) {
        this.spill = spill;
        this.allFound = !kept;
        if (kept) {
            spill.load(this);
        }
    }

    @Override
    public synchronized boolean block(BlockReader block, SpilledBlock place) {
        Found body = found.computeIfAbsent(block.connection(), first -> new Found());
        if (!block.hasRecord() || body.pieces.putIfAbsent(block.nanos(), place) != null) {
            return false;
        }
        body.length += block.length();
        return true;
    }

    @Override
    public void damaged(String what) {
        log.warn("a piece of a large reply on disk is left out: {}", what);
    }

    @Override
    public void all() {
        Map<Claim, @Nullable Found> settled = new HashMap<>();
        synchronized (this) {
            allFound = true;
            claims.forEach((id, claim) -> settled.put(claim, found.remove(id)));
            claims.clear();
        }
        settled.forEach(this::settle);
        sweep();
    }

    void claim(long id, long length, BodySegments pieces) {
        Claim claim = new Claim(pieces, length);
        Found body;
        synchronized (this) {
            if (!allFound) {
                claims.put(id, claim);
                return;
            }
            body = found.remove(id);
        }
        settle(claim, body);
    }

    void allClaimed() {
        synchronized (this) {
            allClaimed = true;
        }
        sweep();
    }

    private void settle(Claim claim, @Nullable Found body) {
        List<SpilledBlock> all = body == null ? null : whole(body, claim.length);
        if (all == null && body != null) {
            body.pieces.values().forEach(spill::free);
        }
        claim.pieces.found(all, claim.length);
    }

    private static @Nullable List<SpilledBlock> whole(Found body, long length) {
        boolean gaps = body.pieces.isEmpty() || body.pieces.lastKey() != body.pieces.size() - 1;
        return gaps || body.length != length ? null : new ArrayList<>(body.pieces.values());
    }

    private void sweep() {
        List<Found> unwanted;
        synchronized (this) {
            if (!allFound || !allClaimed || found.isEmpty()) {
                return;
            }
            unwanted = List.copyOf(found.values());
            found.clear();
        }
        log.info(
                "{} large replies of an earlier run belong to nothing that is known, and are deleted", unwanted.size());
        unwanted.forEach(body -> body.pieces.values().forEach(spill::free));
    }
}
