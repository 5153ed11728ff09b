package dev.understudy.sidecar;

import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.sidecar.control.Watched;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.resync.Resync;
import dev.understudy.sidecar.resync.ResyncStanding;
import dev.understudy.sidecar.tee.Tee;
import dev.understudy.sidecar.tee.TeeMode;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The input of one debug JVM, through the tees of its listeners. Cut and made to go on by one thread. */
final class DebugInput implements Resync.DebugSide {
    private static final List<LossReason> OVERFLOWS = List.of(
            LossReason.OVERFLOW_LANE, LossReason.OVERFLOW_GLOBAL, LossReason.OVERFLOW_DISK, LossReason.OVERFLOW_RING);

    private final DebugJvm jvm;
    private final List<Watched> listeners;
    private final Consumer<Watched> turned;
    private final Map<Tee, TeeMode> cut = new HashMap<>();

    /** @param turned is told whose switch was turned */
    DebugInput(DebugJvm jvm, List<Watched> listeners, Consumer<Watched> turned) {
        this.jvm = jvm;
        this.listeners = listeners;
        this.turned = turned;
    }

    @Override
    public String name() {
        return jvm.name;
    }

    @Override
    public SocketAddress address() {
        return lanes().findFirst()
                .map(DebugLanes::address)
                .orElseGet(() -> InetSocketAddress.createUnresolved("localhost", 0));
    }

    @Override
    public ResyncStanding counted() {
        return lanes().map(DebugInput::counted).reduce(ResyncStanding.NONE, ResyncStanding::plus);
    }

    private static ResyncStanding counted(DebugLanes lanes) {
        long different = lanes.tally().verdicts(VerdictKind.DIFFERENT);
        long alike = lanes.tally().verdicts(VerdictKind.SAME) + lanes.tally().verdicts(VerdictKind.EQUIVALENT);
        long overflows = OVERFLOWS.stream()
                .mapToLong(reason -> lanes.tally().lossEvents(reason))
                .sum();
        return new ResyncStanding(alike + different, different, overflows);
    }

    /** A tee that the operator has turned off or to paused stays so. */
    @Override
    public void cut(boolean hold) {
        TeeMode meanwhile = hold ? TeeMode.PAUSED : TeeMode.OFF;
        for (Watched watched : mine().toList()) {
            Tee tee = watched.tee();
            TeeMode before = tee == null ? TeeMode.OFF : tee.mode();
            if (tee != null && before != TeeMode.OFF) {
                tee.turn(TeeMode.OFF);
                TeeMode now = before == TeeMode.PAUSED ? before : meanwhile;
                tee.turn(now);
                if (before == TeeMode.ON) {
                    cut.put(tee, now);
                }
                turned.accept(watched);
            }
        }
        jvm.identities.clear();
    }

    @Override
    public void goOn(boolean inStep) {
        if (inStep) {
            jvm.noise.begunAnew();
        }
        for (Watched watched : mine().toList()) {
            Tee tee = watched.tee();
            if (tee != null && tee.mode() == cut.remove(tee)) {
                tee.turn(TeeMode.ON);
                turned.accept(watched);
            }
        }
        cut.clear();
    }

    private Stream<Watched> mine() {
        return listeners.stream()
                .filter(watched ->
                        watched.lanes().stream().anyMatch(lanes -> lanes.debug().equals(jvm.name)));
    }

    private Stream<DebugLanes> lanes() {
        return mine().flatMap(watched -> watched.lanes().stream())
                .filter(lanes -> lanes.debug().equals(jvm.name));
    }
}
