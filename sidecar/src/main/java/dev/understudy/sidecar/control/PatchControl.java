package dev.understudy.sidecar.control;

import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.resync.Resync;
import dev.understudy.sidecar.steer.Patch;
import dev.understudy.sidecar.steer.Patches;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code /v1/orders/patch}: which class files debug JVMs run in the place of their own. When an agent tells that this
 * has changed, another epoch begins.
 */
public final class PatchControl {
    private final Patches patches;
    private final OrdersView orders;
    private final Resync resync;
    private final Map<String, String> reported = new HashMap<>(); // guarded by this

    public PatchControl(Patches patches, OrdersView orders, Resync resync) {
        this.patches = patches;
        this.orders = orders;
        this.resync = resync;
    }

    /** The patch that is wanted. */
    public Reply read() {
        Patch wanted = patches.wanted();
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("id", wanted == null ? "" : wanted.id());
        seen.put("bytes", wanted == null ? 0 : wanted.jar().length);
        seen.put("classes", wanted == null ? List.of() : wanted.classes());
        return Reply.json(seen);
    }

    /** Its jar, for agents. */
    public Reply jar(Call call) {
        Patch wanted = patches.wanted();
        String id = call.captured("name");
        return wanted != null && wanted.id().equals(id)
                ? new Reply(200, "application/java-archive", wanted.jar())
                : Reply.problem(404, "No such patch", id + " isn't wanted (any more)");
    }

    /**
     * Wants the one in the body.
     *
     * @throws IllegalArgumentException if it is none
     */
    public Reply apply(Call call) {
        patches.apply(Patch.of(call.body()));
        return Reply.json(orders.read());
    }

    /** Wants none any more. */
    public Reply takeBack() {
        return patches.takeBack()
                ? Reply.json(orders.read())
                : Reply.problem(409, "Nothing to take back", "no patch is wanted");
    }

    /**
     * An agent says which patch its JVM runs with; one that begins anew gets the same one again, which is no change.
     */
    public synchronized void reported(String agent, String patch) {
        String before = reported.put(agent, patch);
        if (reported.size() > AgentReports.MOST_AGENTS) {
            reported.keySet().removeIf(name -> !name.equals(agent));
        }
        if (!patch.equals(before == null ? "" : before)) {
            resync.patched(patch, System.nanoTime(), System.currentTimeMillis());
        }
    }
}
