package dev.understudy.sidecar.command;

import dev.understudy.sidecar.Sidecar;
import dev.understudy.sidecar.control.StatusView;
import java.net.InetSocketAddress;
import java.util.Map;

/** A sidecar in one process. */
record WholeSidecar(Sidecar sidecar) implements SidecarRun {
    @Override
    public Map<String, InetSocketAddress> addresses() {
        return sidecar.addresses();
    }

    @Override
    public String controlAddress() {
        return StatusView.spell(sidecar.controlAddress());
    }

    @Override
    public String health() {
        return "";
    }

    @Override
    public Map<String, String> fidelity() {
        return sidecar.fidelity();
    }

    @Override
    public void close() {
        sidecar.close();
    }

    @Override
    public void hurry() {
        sidecar.hurry();
    }
}
